import ArgumentParser
import RoundelBus

struct RelocateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relocate", abstract: "Tell Roundel where you moved a synced folder.")

    @Argument(help: ArgumentHelp("Where the folder was.", valueName: "old"))
    var old: String

    @Argument(help: ArgumentHelp("Where it is now.", valueName: "new"))
    var new: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let old = try ItemArgument.parse(old)
        let new = try ItemArgument.parse(new)
        try await SyncWorkerProxy(bus: try await Bus.open()).relocateFolder(old.text, to: new.text)
        if output.json { Console().print(.object(WorkerPath.json(new.text))) }
    }
}
