import ArgumentParser
import RoundelBus

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop synchronising until `roundel resume`, over restarts too.")

    @Argument(help: ArgumentHelp("A synced folder; by default all.", valueName: "path"))
    var path: String?

    func run() async throws {
        let folder = try path.map { try ItemArgument.parse($0).text } ?? ""
        try await SyncWorkerProxy(bus: try await Bus.open()).pause(folder)
    }
}
