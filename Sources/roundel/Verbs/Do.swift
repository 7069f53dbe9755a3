import ArgumentParser
import DBus
import RoundelBus

struct DoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do", abstract: "Carry out an action of a menu.",
        discussion: """
            The ids are those of `roundel menu`. With PATHs the item is looked for in the menu of the items, then in \
            that of the directory's background and the sidebar; without, in the toolbar's. \
            With --json: {"id":…,"outcome":"done"|"cancelled"|"failed","message":…}.
            """)

    @Argument(help: ArgumentHelp("The item's id.", valueName: "item-id"))
    var item: String

    @Argument(help: ArgumentHelp("The items that it acts on.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let items = try paths.map(ItemArgument.parse).map(\.uri)
        let host = try await Host.open()
        let menu = try await menu(holding: item, for: items, host: host)
        try report(try await outcome(of: item, in: menu, host: host))
    }

    /// Starts the action and waits for its end, however long it takes.
    private func outcome(of item: String, in menu: HostMenu, host: Host) async throws -> ActionOutcome {
        let owner = try await host.bus.owner(of: Names.service)
        let merge = EventMerge<ReceivedSignal?>()
        merge.add(try host.signals()) { $0.member == "ActionFinished" ? .some($0) : .none }
        merge.add(host.bus.owners(of: Names.service)) { $0 == owner ? .none : .some(nil) }
        try await host.activate(item, of: menu.id)
        for await signal in merge.events {
            guard let signal else { break }
            if let outcome = ActionOutcome(signal), outcome.menu == menu.id, outcome.item == item { return outcome }
        }
        throw CommandFailure("The badge service went away before the action was finished.")
    }

    private func menu(holding item: String, for items: [ItemURI], host: Host) async throws -> HostMenu {
        let kinds: [MenuKind] =
            items.isEmpty ? [.toolbar] : items.count == 1 ? [.items, .container, .sidebar] : [.items]
        for kind in kinds + (items.isEmpty ? [] : [.toolbar]) {
            let context = try MenuContext(kind, paths: items)
            let menu = try await host.menu(kind, target: context.target, selection: context.selection)
            guard let found = menu.item(item) else { continue }
            guard found.isEnabled else {
                throw CommandFailure("\(found.label) (\(item)) cannot be chosen at the moment.")
            }
            return menu
        }
        throw CommandFailure("No menu for this has an item \(item). See: roundel menu items PATH")
    }

    private func report(_ outcome: ActionOutcome) throws {
        if output.json {
            Console().print(outcome.json)
        } else if outcome.result == .done, !outcome.message.isEmpty {
            Console().print(DisplayText.escaped(outcome.message))
        }
        switch outcome.result {
        case .done: return
        case .cancelled: throw CommandFailure(outcome.message.isEmpty ? "The action was called off." : outcome.message)
        case .failed: throw CommandFailure(outcome.message.isEmpty ? "The action failed." : outcome.message)
        }
    }
}

/// What ActionFinished says.
struct ActionOutcome: Equatable {
    enum Result: UInt32 { case done = 0, cancelled, failed }

    let menu: UInt64
    let item: String
    let result: Result
    let message: String

    init?(_ signal: ReceivedSignal) {
        let arguments = signal.arguments
        guard arguments.count >= 4, let menu = arguments[0].uint64, let item = arguments[1].string,
            let outcome = arguments[2].uint32, let message = arguments[3].string
        else { return nil }
        self.menu = menu
        self.item = item
        self.message = message
        result = Result(rawValue: outcome) ?? .failed
    }

    var json: JSON {
        .object([
            .init("id", .string(item)), .init("outcome", .string("\(result)")), .init("message", .string(message)),
        ])
    }
}
