import ArgumentParser
import RoundelBus

struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: Help.Resolve.abstract,
        discussion: Help.Resolve.discussion)

    @Argument(help: ArgumentHelp(Help.Resolve.path, valueName: "path"), completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp(Help.Resolve.choice, valueName: "choice"),
        completion: .list(SyncConflict.Choice.allCases.map(\.rawValue)),
        transform: { word in
            guard let choice = SyncConflict.Choice(rawValue: word) else {
                throw ValidationError(Text.unknownChoice(word))
            }
            return choice
        })
    var choice: SyncConflict.Choice

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path).text
        let winner = try await SyncWorkerProxy(bus: try await Bus.open()).resolve(item, as: choice)
        if output.json { Console().print(.object(WorkerPath.json(winner ?? item))) }
    }
}
