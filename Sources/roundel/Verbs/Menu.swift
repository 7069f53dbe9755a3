import ArgumentParser
import Client
import RoundelBus
import Support

struct MenuCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu", abstract: tr("Show the menu that a file manager would show."),
        discussion: tr(
            """
            items: of the selected PATHs. container: of the background of a directory. sidebar: of a registered \
            folder. toolbar: of the toolbar button. The ids behind the labels are for `roundel do`.
            """))

    @Argument(
        help: ArgumentHelp(tr("items, container, sidebar or toolbar."), valueName: "kind"),
        completion: .list(MenuKind.allCases.map(\.word)))
    var kind: String

    @Argument(help: ArgumentHelp(tr("The items that it is for."), valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard MenuKind(word: kind) != nil else {
            throw ValidationError(tr("Unknown menu kind “{1}”; use items, container, sidebar or toolbar.", kind))
        }
    }

    func run() async throws {
        guard let kind = MenuKind(word: kind) else { return }
        let context = try MenuContext(kind, items: try paths.map(ItemArgument.parse).map(\.uri)) {
            try ItemArgument.workingDirectory().uri
        }
        let menu = try await HostProxy(bus: try await Bus.open()).completeMenu(
            kind, target: context.target, selection: context.selection, patience: Patience.CommandLine.menu)
        let console = Console()
        if output.json {
            console.print(menu.json)
        } else if menu.items.isEmpty && menu.incomplete.isEmpty {
            console.print(tr("There is no menu for this."))
        } else {
            console.print(lines: menu.lines(on: console.terminal))
        }
    }
}
