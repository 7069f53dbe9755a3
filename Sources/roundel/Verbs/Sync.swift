import ArgumentParser
import RoundelBus

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Sync now.",
        discussion: """
            Without PATH: every folder that is not paused. An edit made just before is included. Several deletions \
            are carried out once no further one has come for three seconds; --wait waits for that, and some \
            seconds for a file that is still being written; then it ends with 2 and names the file. \
            With --wait --json: {"uploaded":n,"downloaded":n,"moved":n,"deleted_local":n,"deleted_remote":n, \
            "conflicts":n,"errors":n,"state":"synced"}, what this run did, with "needs" if something must be done by you \
            (as in `roundel status --json`), and where files are being written \
            "waiting":[{"uri":…,"path":…,"message":…}]; with --dry-run what it would do, and \
            "steps":[{"action":…,"uri":…,"path":…,"new_uri":…,"bytes":n}].
            """)

    @Argument(help: ArgumentHelp("A synced folder or something in it.", valueName: "path"))
    var path: String?

    @Flag(help: "Return when the run is finished.")
    var wait = false

    @Option(help: ArgumentHelp("Give up waiting after so many seconds; the run goes on.", valueName: "s"))
    var timeout: Double?

    @Flag(help: "Say what would be done, and change nothing.")
    var dryRun = false

    @Flag(help: "Confirm deletions that Roundel held back, and those that this run finds.")
    var confirmDeletes = false

    @Flag(help: "The remote was restored from a backup: keep both versions of what differs, delete nothing.")
    var unite = false

    @Flag(help: "What is older on the remote is meant: sync it like any other change.")
    var acceptRemote = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if unite && acceptRemote { throw ValidationError("--unite and --accept-remote exclude each other.") }
        guard let timeout else { return }
        guard wait || dryRun else { throw ValidationError("--timeout needs --wait.") }
        guard timeout > 0, timeout <= 1_000_000 else {
            throw ValidationError("--timeout needs a number of seconds above 0, at most 1000000.")
        }
    }

    func run() async throws {
        let folder = try path.map { try ItemArgument.parse($0).text } ?? ""
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        var run = SyncRun(worker: worker, folder: folder, patience: timeout.map(Duration.seconds))
        run.options.isDryRun = dryRun
        run.options.confirmDeletes = confirmDeletes
        run.options.unites = unite
        run.options.acceptsRemote = acceptRemote
        let console = Console()
        guard wait || dryRun else {
            let result = try await run.start()
            if output.json { console.print(result.json) }
            return
        }
        let result = try await run.wait(quiet: output.json)
        if output.json {
            console.print(result.json)
        } else {
            console.print(lines: result.lines(on: console.terminal, isDryRun: dryRun))
        }
        if !dryRun { try finish(result.exitStatus) }
    }
}
