import ArgumentParser
import Client
import RoundelBus
import Support

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: tr("Pause syncing until `roundel resume`, even after a restart."))

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(isPaused: true) }
}

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: tr("Resume syncing."))

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(isPaused: false) }
}

/// The options that `pause` and `resume` share.
struct PausingOptions: ParsableArguments {
    @Argument(help: ArgumentHelp(tr("A synced folder; by default all."), valueName: "path"), completion: .file())
    var path: String?

    @OptionGroup var output: OutputOptions

    func carryOut(isPaused: Bool) async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let folder = item?.uri
        let answers = try await Engines(bus: try await Bus.open()).ask(item) { (engine: FoldersProxy) in
            if isPaused { try await engine.pause(folder ?? "") } else { try await engine.resume(folder ?? "") }
        }
        if output.json {
            Console().print(
                .object([
                    .init("paused", .bool(isPaused)), .init("uri", .optional(folder, JSON.string)),
                    .init("path", .optional(folder) { .string(ItemURI.displayPath(of: $0)) }),
                ]))
        }
        try finish(answers.failures + answers.unable)
    }
}
