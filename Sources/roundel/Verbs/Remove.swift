import ArgumentParser
import RoundelBus

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Help.Remove.abstract)

    @Argument(help: ArgumentHelp(Help.Remove.path, valueName: "path"))
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        // The worker takes any item of a folder; what removes must be named itself.
        guard try await worker.listFolders().contains(where: { $0.uri == folder.text }) else {
            throw CommandFailure(Text.notAFolder(folder.uri.sentencePath))
        }
        try await worker.removeFolder(folder.text)
        if output.json { Console().print(.object(WorkerPath.json(folder.text))) }
    }
}
