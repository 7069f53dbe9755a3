import ArgumentParser
import Client
import DBus
import RoundelBus
import Support

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: tr("Stop syncing a folder; no file is deleted, here or on the remote."),
        discussion: tr(
            """
            What syncing replaced or deleted in it stays for its 30 days: `roundel trash` lists and restores it all \
            the same. Of an on-demand folder, what is on this computer stays as plain files; files that are on the \
            remote only are removed from this computer, after asking you. To keep those, download them first: roundel \
            on-demand PATH --off.
            """))

    @Argument(help: ArgumentHelp(tr("The synced folder."), valueName: "path"), completion: .file())
    var path: String

    @Flag(help: ArgumentHelp(tr("Do not ask before files are removed that are on the remote only.")))
    var dropPlaceholders = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let kept = try await remove(folder.uri, from: Engines(bus: try await Bus.open()))
        let console = Console()
        if output.json {
            console.print(.object(JSON.item(folder.text) + kept.members))
        } else {
            console.print(lines: lines(kept, of: folder))
        }
    }

    /// Removes the folder. If files in it are on the remote only, asks the user at a terminal first.
    private func remove(_ folder: ItemURI, from engines: Engines) async throws -> SyncKeptVersions {
        do {
            return try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
                try await engine.removeFolder(at: folder, dropsPlaceholders: dropPlaceholders)
            }
        } catch let error as DBusError where error.roundelCode == .placeholdersLeft {
            let sentence = ErrorSentence.of(error)
            guard Consent.isPossible else {
                throw CommandFailure(
                    tr("{1} To remove them from this computer: roundel remove --drop-placeholders PATH", sentence))
            }
            // Translators: y and N stay, for the answer is read as y or yes in every language.
            guard Consent.isGiven(tr("{1} Remove them from this computer? [y/N]", sentence)) else {
                throw CommandFailure(tr("Nothing was changed."))
            }
            return try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
                try await engine.removeFolder(at: folder, dropsPlaceholders: true)
            }
        }
    }

    private func lines(_ kept: SyncKeptVersions, of folder: ItemArgument) -> [String] {
        let path = folder.uri.sentencePath
        var lines = [
            DisplayText.escaped(
                kept.dropped == 0
                    ? tr("{1} is no longer synced. Its files stay, here and on the remote.", path)
                    : tr("{1} is no longer synced. What is here stays here, and everything stays on the remote.", path))
        ]
        if kept.dropped > 0 {
            lines.append(
                tr(
                    kept.dropped, one: "1 file ({2}) is on the remote only.",
                    other: "{1} files ({2}) are on the remote only.", Quantity.bytes(kept.droppedBytes)))
        }
        if kept.versions > 0 {
            let word = folder.uri.shellWord
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
