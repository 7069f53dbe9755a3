import ArgumentParser
import RoundelBus

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Help.Remove.abstract, discussion: Help.Remove.discussion)

    @Argument(help: ArgumentHelp(Help.Remove.path, valueName: "path"), completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        // The worker accepts any item in a folder, but a folder to remove must be named itself.
        guard try await worker.listFolders().contains(where: { $0.uri == folder.text }) else {
            throw CommandFailure(Text.notAFolder(folder.uri.sentencePath))
        }
        let kept = try await worker.removeFolder(folder.text)
        let console = Console()
        if output.json {
            console.print(
                .object(
                    WorkerPath.json(folder.text) + [
                        .init("kept", .number(kept.versions)), .init("kept_bytes", .number(kept.bytes)),
                        .init("kept_partial", .bool(kept.isPartial)),
                    ]))
        } else {
            console.print(lines: lines(kept, of: folder))
        }
    }

    private func lines(_ kept: SyncWorkerProxy.KeptOfRemoved, of folder: ItemArgument) -> [String] {
        let path = folder.uri.sentencePath
        var lines = [DisplayText.escaped(Text.removed(path))]
        if kept.versions > 0 {
            let word = ShellWord.quoted(bytes: folder.uri.filePath.bytes)
            lines.append(Text.keptOfRemoved(kept.versions, Quantity.bytes(kept.bytes), word: word))
        }
        if kept.isPartial { lines.append(DisplayText.escaped(Text.notCounted(path))) }
        return lines
    }
}
