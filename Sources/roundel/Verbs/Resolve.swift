import ArgumentParser
import Client
import RoundelBus
import Support

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
        let item = try ItemArgument.parse(path)
        let resolution = try await Engines(bus: try await Bus.open()).ask(ownerOf: item.uri) {
            (engine: ConflictsProxy) in try await engine.resolve(item.text, as: choice)
        }
        let console = Console()
        if output.json {
            console.print(.object(JSON.item(resolution.uri ?? item.text)))
        } else if resolution.waits {
            console.print(DisplayText.escaped(Text.decisionWaits(item.uri.sentencePath)))
        }
        try finish(resolution.waits ? .needsUser : .done)
    }
}
