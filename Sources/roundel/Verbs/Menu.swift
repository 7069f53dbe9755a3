import ArgumentParser
import Client
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
        let context = try MenuContext(kind, items: try paths.map(ItemArgument.parse).map(\.uri)) {
            try ItemArgument.workingDirectory().uri
        }
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
