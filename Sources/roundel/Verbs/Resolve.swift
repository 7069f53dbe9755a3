import ArgumentParser
import RoundelBus

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Resolve a conflict.",
        discussion: """
            mine: the version of this computer takes the name. theirs: the remote's version keeps it. both: each \
            stays under its name. What gives way is kept in the trash: see `roundel trash`. \
            With --json: {"uri":…,"path":…}, the path that bears the name now.
            """)

    @Argument(help: ArgumentHelp("Either of the two paths.", valueName: "path"))
    var path: String

    @Argument(help: ArgumentHelp("mine, theirs or both.", valueName: "choice"))
    var choice: SyncConflict.Choice

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path).text
        let winner = try await SyncWorkerProxy(bus: try await Bus.open()).resolve(item, as: choice)
        if output.json { Console().print(.object(WorkerPath.json(winner ?? item))) }
    }
}

extension SyncConflict.Choice: ExpressibleByArgument {}
