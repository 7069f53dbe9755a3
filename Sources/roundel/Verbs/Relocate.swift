import ArgumentParser
import Client
import DBus
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
        let engines = Engines(bus: try await Bus.open())
        do {
            try await engines.ask(ownerOf: old.uri) { (engine: FoldersProxy) in
                try await engine.relocateFolder(old.text, to: new.text)
            }
        } catch let error as DBusError where error.roundelCode == .unsupported {
            guard try await Self.isOnDemand(old.uri, engines) else { throw error }
            throw AdvisedError(error, tr("To turn it off: roundel on-demand --off {1}", old.uri.shellWord))
        }
        let console = Console()
        if output.json { return console.print(.object(JSON.item(new.text))) }
        console.print(DisplayText.escaped(tr("{1} is synced as before.", new.uri.sentencePath)))
    }

    private static func isOnDemand(_ folder: ItemURI, _ engines: Engines) async throws -> Bool {
        try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            try await engine.listFolders().contains { $0.uri == folder.uri && $0.isOnDemand }
        }
    }
}
