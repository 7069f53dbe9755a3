import ArgumentParser
import Client
import RoundelBus
import Support

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: tr("Download files of an on-demand folder now."),
        discussion: tr(
            """
            Of a directory everything in it is downloaded. What is on this computer already is left alone. If it does \
            not fit on the disk, nothing is downloaded. The exit status is 2 if something could not be downloaded. \
            Ctrl-C ends it; what was downloaded stays.
            """))

    @OptionGroup var moving: MovingOptions

    func run() async throws { try await moving.carryOut(.fetch) }
}

struct FreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "free", abstract: tr("Free up the room that files of an on-demand folder take."),
        discussion: tr(
            """
            The files stay in the folder with their names, sizes and dates, and are downloaded when they are opened. \
            Only what is the same on the remote is freed: nothing that is always kept on this computer, open in a \
            program, or not synced yet. Of a directory all files are freed that can be. The exit status is 2 if \
            something was not freed.
            """))

    @OptionGroup var moving: MovingOptions

    func run() async throws { try await moving.carryOut(.free) }
}

/// The options that `fetch` and `free` share.
struct MovingOptions: ParsableArguments {
    @Argument(help: .itemsOnDemand, completion: .file())
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func carryOut(_ move: ContentsMove) async throws {
        let items = try paths.map { try ItemArgument.parse($0).uri }
        // An interrupt ends this command; the engine then gives it up because the command left the bus.
        let call = try await Engines(bus: try await Bus.open()).move(move, items)
        let outcome = try await FollowedCall.end(of: call, isShown: !output.json) { $0.lines(move, on: $1) }
        let console = Console()
        if output.json {
            console.print(outcome.result.json)
        } else {
            console.print(lines: outcome.result.lines(move, on: console.terminal))
        }
        try finish(outcome.failures, else: outcome.result.failed > 0 ? .needsUser : .done)
    }
}

extension ArgumentHelp {
    /// The items of `fetch`, `free`, `pin` and `unpin`.
    static var itemsOnDemand: ArgumentHelp {
        ArgumentHelp(tr("Files or directories in an on-demand folder."), valueName: "path")
    }
}
