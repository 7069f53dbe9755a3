import ArgumentParser
import Client
import RoundelBus
import Support

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: tr("List the synced folders."))

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let answers = try await Engines(bus: try await Bus.open()).ask(nil) { (engine: FoldersProxy) in
            try await engine.listFolders()
        }
        let folders = answers.answers.flatMap(\.self)
        let console = Console()
        if output.json {
            console.print(.array(folders.map(\.json)))
        } else if folders.isEmpty {
            console.print(ListCommand.noFolders)
        } else {
            console.print(lines: ListCommand.table(folders, on: console.terminal).lines(on: console.terminal))
        }
        try finish(answers.failures)
    }

    static var noFolders: String { tr("No folder is synced. Add one with: roundel add PATH REMOTE") }

    static func table(_ folders: [SyncedFolder], on terminal: Terminal) -> Table {
        var table = Table([.left, .left, .left, .left, .left], flexible: 3)
        for folder in folders {
            let appearance = BadgeAppearance.of(folder.state)
            let state =
                terminal.isInteractive
                ? "\(appearance.glyph(on: terminal)) \(appearance.label)" : folder.state.identifier
            table.append([
                Table.Cell(state, appearance.style),
                Table.Cell(WorkerPath.shown(folder.uri, on: terminal), .bold, isPath: true),
                Table.Cell(terminal.hasUnicode && terminal.isInteractive ? "→" : "->", .dim),
                Table.Cell(WorkerPath.shownRemote(folder.remote, on: terminal), isPath: true),
                Table.Cell(folder.isOnDemand ? tr("on demand") : folder.isUploadOnly ? tr("upload only") : "", .dim),
            ])
        }
        return table
    }
}
