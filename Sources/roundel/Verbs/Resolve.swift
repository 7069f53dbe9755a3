import ArgumentParser
import Client
import RoundelBus
import Support

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: tr("Resolve a conflict."),
        discussion: tr(
            """
            mine: the version of this computer takes the name. theirs: the remote's version keeps it. both: each \
            stays under its name. What gives way is kept in the trash: see `roundel trash`. The exit status is 2 if \
            that waits until the folder can be synced again.
            """))

    @Argument(help: ArgumentHelp(tr("Either of the two paths."), valueName: "path"), completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp(tr("mine, theirs or both."), valueName: "choice"),
        completion: .list(SyncConflict.Choice.allCases.map(\.rawValue)),
        transform: { word in
            guard let choice = SyncConflict.Choice(rawValue: word) else {
                throw ValidationError(tr("A conflict is resolved as mine, theirs or both, not “{1}”.", word))
            }
            return choice
        })
    var choice: SyncConflict.Choice

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path)
        let resolution = try await Engines(bus: try await Bus.open()).ask(ownerOf: item.uri) {
            (engine: ConflictsProxy) in try await engine.resolve(item.text, as: choice)
        }
        let console = Console()
        if output.json {
            console.print(.object(JSON.item(resolution.uri ?? item.text)))
        } else if resolution.waits {
            console.print(
                DisplayText.escaped(
                    tr(
                        "“{1}” is resolved when its folder can be synced again. See: roundel status",
                        item.uri.sentencePath)))
        } else {
            let path = WorkerPath.sentence(resolution.uri ?? item.text)
            console.print(DisplayText.escaped(tr("The conflict of “{1}” is resolved.", path)))
        }
        try finish(resolution.waits ? .needsUser : .done)
    }
}
