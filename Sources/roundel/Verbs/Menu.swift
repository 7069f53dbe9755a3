import ArgumentParser
import RoundelBus

struct MenuCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu", abstract: Help.Menu.abstract,
        discussion: Help.Menu.discussion)

    @Argument(
        help: ArgumentHelp(Help.Menu.kind, valueName: "kind"),
        completion: .list(MenuKind.allCases.map(\.word)))
    var kind: String

    @Argument(help: ArgumentHelp(Help.Menu.paths, valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard MenuKind(word: kind) != nil else {
            throw ValidationError(Text.unknownMenuKind(kind))
        }
    }

    func run() async throws {
        guard let kind = MenuKind(word: kind) else { return }
        let context = try MenuContext(kind, paths: try paths.map(ItemArgument.parse).map(\.uri))
        let menu = try await HostProxy(bus: try await Bus.open()).menu(
            kind, target: context.target, selection: context.selection)
        let console = Console()
        if output.json {
            console.print(menu.json)
        } else if menu.items.isEmpty {
            console.print(Text.noMenu)
        } else {
            console.print(lines: menu.lines(on: console.terminal))
        }
    }
}

/// What a menu is for: the directory shown and the selected items in it.
struct MenuContext: Equatable {
    let target: ItemURI?
    let selection: [ItemURI]

    /// The kinds of menu that may contain an action for these paths, in the order in which they are requested.
    static func kinds(for paths: [ItemURI]) -> [MenuKind] {
        switch paths.count {
        case 0: [.toolbar]
        case 1: [.items, .container, .sidebar, .toolbar]
        default: [.items, .toolbar]
        }
    }

    /// - Throws: ``CommandFailure`` if this kind needs other paths.
    init(_ kind: MenuKind, paths: [ItemURI]) throws {
        switch kind {
        case .items:
            guard let first = paths.first else {
                throw CommandFailure(Text.menuNeedsPath, status: .usage)
            }
            target = first.parent ?? first
            selection = paths
        case .container, .sidebar:
            guard paths.count <= 1 else {
                throw CommandFailure(Text.menuNeedsOnePath, status: .usage)
            }
            target = try paths.first ?? ItemArgument.workingDirectory().uri
            selection = []
        case .toolbar:
            target = paths.first.map { $0.parent ?? $0 }
            selection = paths
        }
    }
}
