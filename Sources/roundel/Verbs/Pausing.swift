import ArgumentParser
import RoundelBus

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause syncing until `roundel resume`, even after a restart.",
        discussion: PausingOptions.discussion)

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(isPaused: true) }
}

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume syncing.",
        discussion: PausingOptions.discussion)

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(isPaused: false) }
}

/// What `pause` and `resume` have in common: all but the direction.
struct PausingOptions: ParsableArguments {
    static let discussion =
        "With --json: {\"paused\":…,\"uri\":…,\"path\":…}; uri and path are null for all folders."

    @Argument(help: ArgumentHelp("A synced folder; by default all.", valueName: "path"))
    var path: String?

    @OptionGroup var output: OutputOptions

    func carryOut(isPaused: Bool) async throws {
        let folder = try path.map { try ItemArgument.parse($0).text }
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        if isPaused { try await worker.pause(folder ?? "") } else { try await worker.resume(folder ?? "") }
        guard output.json else { return }
        Console().print(
            .object([
                .init("paused", .bool(isPaused)), .init("uri", .optional(folder, JSON.string)),
                .init("path", .optional(folder) { .string(WorkerPath.display($0)) }),
            ]))
    }
}
