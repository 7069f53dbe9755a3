import ArgumentParser
import RoundelBus

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Help.List.abstract,
        discussion: Help.List.discussion)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folders = try await SyncWorkerProxy(bus: try await Bus.open()).listFolders()
        let console = Console()
        if output.json {
            console.print(.array(folders.map(ListCommand.json)))
        } else if folders.isEmpty {
            console.print(Text.noFolders)
        } else {
            console.print(lines: ListCommand.table(folders, on: console.terminal).lines(on: console.terminal))
        }
    }

    static func json(_ folder: SyncedFolder) -> JSON {
        .object(
            WorkerPath.json(folder.uri) + [
                .init("id", .string(folder.id)), .init("label", .string(folder.label)),
                .init("remote", .string(folder.remote)),
                .init("remote_uri", .optional(folder.remoteURI, JSON.string)),
                .init("state", .string(folder.state.identifier)), .init("paused", .bool(folder.isPaused)),
                .init("on_demand", .bool(folder.isOnDemand)), .init("upload_only", .bool(folder.isUploadOnly)),
                .init("added", .optional(folder.added) { .string(TimeText.utc($0)) }),
            ])
    }

    static func table(_ folders: [SyncedFolder], on terminal: Terminal) -> Table {
        var table = Table([.left, .left, .left, .left])
        for folder in folders {
            let appearance = BadgeAppearance.of(folder.state)
            let state =
                terminal.isInteractive
                ? "\(appearance.glyph(on: terminal)) \(appearance.label)" : folder.state.identifier
            table.append([
                Table.Cell(state, appearance.style), Table.Cell(WorkerPath.display(folder.uri), .bold),
                Table.Cell(terminal.hasUnicode && terminal.isInteractive ? "→" : "->", .dim),
                Table.Cell(WorkerPath.display(folder.remote)),
            ])
        }
        return table
    }
}
