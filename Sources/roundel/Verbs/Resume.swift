import ArgumentParser
import RoundelBus

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on synchronising after `roundel pause`.")

    @Argument(help: ArgumentHelp("A synced folder; by default all.", valueName: "path"))
    var path: String?

    func run() async throws {
        let folder = try path.map { try ItemArgument.parse($0).text } ?? ""
        try await SyncWorkerProxy(bus: try await Bus.open()).resume(folder)
    }
}
