import ArgumentParser
import Client
import RoundelBus
import Support

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: tr("Stop syncing a folder; no file is deleted, here or on the remote."),
        discussion: tr(
            """
            What syncing replaced or deleted in it stays for its 30 days: `roundel trash` lists and restores it all \
            the same.
            """))

    @Argument(help: ArgumentHelp(tr("The synced folder."), valueName: "path"), completion: .file())
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
        var lines = [DisplayText.escaped(tr("{1} is no longer synced. Its files stay, here and on the remote.", path))]
        if kept.versions > 0 {
            let word = ShellWord.quoted(bytes: folder.uri.filePath.bytes)
            lines.append(
                tr(
                    kept.versions,
                    one: """
                        1 replaced or deleted version ({2}) is kept for up to 30 days. To list it: roundel trash. To \
                        restore it: roundel trash restore PATH. To delete it now: roundel trash delete {3}
                        """,
                    other: """
                        {1} replaced or deleted versions ({2}) are kept for up to 30 days. To list them: roundel \
                        trash. To restore one: roundel trash restore PATH. To delete them now: roundel trash delete \
                        {3}
                        """, Quantity.bytes(kept.bytes), word))
        }
        if kept.isPartial {
            lines.append(
                DisplayText.escaped(tr("One side of “{1}” does not answer; what it keeps is not counted.", path)))
        }
        return lines
    }
}
