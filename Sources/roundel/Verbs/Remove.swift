import ArgumentParser
import Client
import RoundelBus
import Support

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Help.Remove.abstract, discussion: Help.Remove.discussion)

    @Argument(help: ArgumentHelp(Help.Remove.path, valueName: "path"), completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let kept = try await Engines(bus: try await Bus.open()).ask(ownerOf: folder.uri) { (engine: FoldersProxy) in
            try await engine.removeFolder(at: folder.uri)
        }
        let console = Console()
        if output.json {
            console.print(.object(JSON.item(folder.text) + kept.members))
        } else {
            console.print(lines: lines(kept, of: folder))
        }
    }

    private func lines(_ kept: SyncKeptVersions, of folder: ItemArgument) -> [String] {
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
