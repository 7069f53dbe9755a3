import ArgumentParser
import Client
import RoundelBus
import Support

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: tr("Sync now."),
        discussion: tr(
            """
            Without PATH: every folder that is not paused. An edit made just before is included. Several deletions \
            are carried out once no further one has come for three seconds; --wait waits for that, and some seconds \
            for a file that is still being written, or that the remote puts off; then it ends with 2 and names the \
            file.
            """))

    @Argument(help: ArgumentHelp(tr("A synced folder or something in it."), valueName: "path"), completion: .file())
    var path: String?

    @Flag(help: ArgumentHelp(tr("Return when the run is finished.")))
    var wait = false

    @Option(help: ArgumentHelp(tr("Give up waiting after so many seconds; the run goes on."), valueName: "s"))
    var timeout: Double?

    @Flag(help: ArgumentHelp(tr("Say what would be done, and change nothing.")))
    var dryRun = false

    @Flag(help: ArgumentHelp(tr("Confirm deletions that Roundel held back, and those that this run finds.")))
    var confirmDeletes = false

    @Flag(
        help: ArgumentHelp(tr("Restore the items whose deletion Roundel held back, from the side that still has them."))
    )
    var restoreDeleted = false

    @Flag(
        help: ArgumentHelp(
            tr(
                """
                The remote was restored from a backup, or another directory has the place of the folder or of the \
                remote: keep both versions of what differs, delete nothing.
                """)))
    var unite = false

    @Flag(help: ArgumentHelp(tr("Accept the remote's older versions: sync them like any other change.")))
    var acceptRemote = false

    @Flag(
        help: ArgumentHelp(
            tr(
                """
                The folder or the remote is the one that was synced, although its mark is missing or another: go on; \
                what is missing in it was deleted.
                """)))
    var sameRoot = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if unite && acceptRemote { throw ValidationError(tr("--unite and --accept-remote exclude each other.")) }
        if unite && sameRoot { throw ValidationError(tr("--unite and --same-root exclude each other.")) }
        if confirmDeletes && restoreDeleted {
            throw ValidationError(tr("--confirm-deletes and --restore-deleted exclude each other."))
        }
        guard let timeout else { return }
        guard wait || dryRun else { throw ValidationError(tr("--timeout needs --wait.")) }
        guard timeout > 0, timeout <= 1_000_000 else {
            throw ValidationError(tr("--timeout needs a number of seconds above 0, at most 1000000."))
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
            if output.json {
                console.print(SyncRunResult(sumOf: answers.answers).jsonOfStart)
            } else if !answers.answers.isEmpty {
                console.print(tr("Syncing has begun. To follow it: roundel status --watch"))
            }
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
