import ArgumentParser
import RoundelBus

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on synchronising after `roundel pause`.",
        discussion: "With --json: {\"paused\":…,\"uri\":…,\"path\":…}; uri and path are null for all folders.")

    @Argument(help: ArgumentHelp("A synced folder; by default all.", valueName: "path"))
    var path: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try path.map { try ItemArgument.parse($0).text }
        try await SyncWorkerProxy(bus: try await Bus.open()).resume(folder ?? "")
        if output.json { Console().print(PauseCommand.json(folder, isPaused: false)) }
    }
}
