import ArgumentParser
import Client
import RoundelBus

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: Help.Sync.abstract,
        discussion: Help.Sync.discussion)

    @Argument(help: ArgumentHelp(Help.Sync.path, valueName: "path"), completion: .file())
    var path: String?

    @Flag(help: ArgumentHelp(Help.Sync.wait))
    var wait = false

    @Option(help: ArgumentHelp(Help.Sync.timeout, valueName: "s"))
    var timeout: Double?

    @Flag(help: ArgumentHelp(Help.Sync.dryRun))
    var dryRun = false

    @Flag(help: ArgumentHelp(Help.Sync.confirmDeletes))
    var confirmDeletes = false

    @Flag(help: ArgumentHelp(Help.Sync.restoreDeleted))
    var restoreDeleted = false

    @Flag(help: ArgumentHelp(Help.Sync.unite))
    var unite = false

    @Flag(help: ArgumentHelp(Help.Sync.acceptRemote))
    var acceptRemote = false

    @Flag(help: ArgumentHelp(Help.Sync.sameRoot))
    var sameRoot = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if unite && acceptRemote { throw ValidationError(Text.uniteExcludesAccept) }
        if unite && sameRoot { throw ValidationError(Text.uniteExcludesSame) }
        if confirmDeletes && restoreDeleted { throw ValidationError(Text.confirmExcludesRestore) }
        guard let timeout else { return }
        guard wait || dryRun else { throw ValidationError(Text.timeoutNeedsWait) }
        guard timeout > 0, timeout <= 1_000_000 else {
            throw ValidationError(Text.badTimeout)
        }
    }

    func run() async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let engines = Engines(bus: try await Bus.open())
        var options = FoldersProxy.SyncOptions()
        options.isDryRun = dryRun
        options.confirmDeletes = confirmDeletes
        options.restoresDeleted = restoreDeleted
        options.unites = unite
        options.acceptsRemote = acceptRemote
        options.isSameRoot = sameRoot
        let console = Console()
        guard wait || dryRun else {
            let request = options
            let answers = try await engines.ask(item) { (engine: FoldersProxy) in
                try await engine.sync(item?.uri ?? "", options: request)
            }
            if output.json { console.print(SyncRunResult(sumOf: answers.answers).jsonOfStart) }
            return try finish(answers.failures)
        }
        let result = try await FollowedRun.end(
            of: try await engines.run(item, options: options), within: timeout.map(Duration.seconds),
            isShown: !output.json && !dryRun)
        if output.json {
            console.print(result.json)
        } else {
            console.print(lines: result.lines(on: console.terminal, isDryRun: dryRun))
        }
        if !dryRun { try finish(result.exitStatus) }
    }
}
