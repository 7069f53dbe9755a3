import ArgumentParser
import Client
import RoundelBus
import Support

struct RelocateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relocate", abstract: tr("Tell Roundel where you moved a synced folder."))

    @Argument(help: ArgumentHelp(tr("Where the folder was."), valueName: "old"), completion: .directory)
    var old: String

    @Argument(help: ArgumentHelp(tr("Where it is now."), valueName: "new"), completion: .directory)
    var new: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let old = try ItemArgument.parse(old)
        let new = try ItemArgument.parse(new)
        try await Engines(bus: try await Bus.open()).ask(ownerOf: old.uri) { (engine: FoldersProxy) in
            try await engine.relocateFolder(old.text, to: new.text)
        }
        let console = Console()
        if output.json { return console.print(.object(JSON.item(new.text))) }
        console.print(DisplayText.escaped(tr("{1} is synced as before.", new.uri.sentencePath)))
    }
}
