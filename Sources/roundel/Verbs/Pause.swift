import ArgumentParser
import RoundelBus

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop synchronising until `roundel resume`, over restarts too.",
        discussion: "With --json: {\"paused\":…,\"uri\":…,\"path\":…}; uri and path are null for all folders.")

    @Argument(help: ArgumentHelp("A synced folder; by default all.", valueName: "path"))
    var path: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try path.map { try ItemArgument.parse($0).text }
        try await SyncWorkerProxy(bus: try await Bus.open()).pause(folder ?? "")
        if output.json { Console().print(PauseCommand.json(folder, isPaused: true)) }
    }

    /// What a folder is after the command.
    static func json(_ folder: String?, isPaused: Bool) -> JSON {
        .object([
            .init("paused", .bool(isPaused)), .init("uri", .optional(folder, JSON.string)),
            .init("path", .optional(folder) { .string(WorkerPath.display($0)) }),
        ])
    }
}
