import ArgumentParser
import RoundelBus
import Support

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: Help.Pause.abstract,
        discussion: PausingOptions.discussion)

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(isPaused: true) }
}

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: Help.Resume.abstract,
        discussion: PausingOptions.discussion)

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(isPaused: false) }
}

/// The options that `pause` and `resume` share.
struct PausingOptions: ParsableArguments {
    static let discussion =
        Help.Pausing.discussion

    @Argument(help: ArgumentHelp(Help.Pausing.path, valueName: "path"), completion: .file())
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
                .init("path", .optional(folder) { .string(ItemURI.displayPath(of: $0)) }),
            ]))
    }
}
