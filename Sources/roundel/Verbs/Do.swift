import ArgumentParser
import RoundelBus
import Support

struct DoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do", abstract: Help.Do.abstract,
        discussion: Help.Do.discussion)

    @Argument(help: ArgumentHelp(Help.Do.item, valueName: "item-id"))
    var item: String

    @Argument(help: ArgumentHelp(Help.Do.paths, valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let items = try paths.map(ItemArgument.parse).map(\.uri)
        let host = HostProxy(bus: try await Bus.open())
        let menu = try await menu(holding: item, for: items, host: host)
        // This command prints the result, so no other program needs to report it. If a launcher started the command
        // with a token, windows that the action opens may take the focus.
        let options = ActivationOptions(
            activationToken: Environment.value(of: "XDG_ACTIVATION_TOKEN"), showsResult: true)
        do {
            try report(try await host.perform(item, of: menu, options: options))
        } catch HostProxy.Failure.serviceLeft {
            throw CommandFailure(Text.serviceLeftAction)
        }
    }

    /// The menu that contains the item.
    ///
    /// The service leaves out providers that respond too late, and no signal reports that they are ready. So the menus
    /// are requested again while they contain nothing from the item's provider. However long the service's first answer
    /// takes, the provider may be ready a moment later, so its time begins with that answer.
    private func menu(holding item: String, for items: [ItemURI], host: HostProxy) async throws -> HostedMenu {
        var deadline: ContinuousClock.Instant?
        let provider = item.prefix { $0 != "/" } + "/"
        while true {
            var hasAnswered = false
            for kind in MenuContext.kinds(for: items) {
                let context = try MenuContext(kind, paths: items)
                let menu = try await host.menu(kind, target: context.target, selection: context.selection)
                if let found = menu.item(item) {
                    guard found.enabled else {
                        throw CommandFailure(Text.disabledAction(found.label, id: item))
                    }
                    return menu
                }
                hasAnswered = hasAnswered || menu.hasItem { $0.hasPrefix(provider) }
            }
            let end = deadline ?? ContinuousClock.now + Patience.CommandLine.menu
            guard !hasAnswered, ContinuousClock.now < end else { throw CommandFailure(Text.unknownAction(item)) }
            deadline = end
            try await Task.sleep(for: Patience.CommandLine.menuAgain)
        }
    }

    private func report(_ end: FinishedAction) throws {
        if output.json {
            Console().print(end.json)
        } else if end.outcome == .done {
            if !end.message.isEmpty { Console().print(DisplayText.escaped(end.message)) }
            // A terminal has no clipboard for the text.
            if let text = end.clipboard?.text { Console().print(DisplayText.escaped(text)) }
        }
        switch end.outcome {
        case .done: return
        case .cancelled: throw CommandFailure(end.message.isEmpty ? Text.cancelled : end.message)
        case .failed: throw CommandFailure(end.message.isEmpty ? Text.actionFailed : end.message)
        }
    }
}

extension FinishedAction {
    fileprivate var json: JSON {
        .object(
            [.init("id", .string(item)), .init("outcome", .string(outcome.word)), .init("message", .string(message))]
                + (clipboard.map { [.init("clipboard", .string($0.text))] } ?? []))
    }
}

extension ActionOutcome {
    /// The word for the result in JSON.
    fileprivate var word: String {
        switch self {
        case .done: "done"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}
