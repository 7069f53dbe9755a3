import ArgumentParser
import Client
import RoundelBus
import Support

extension ArgumentHelp {
    fileprivate static var markState: ArgumentHelp {
        ArgumentHelp(tr("synced, pending, syncing, paused, error or conflict."), valueName: "state")
    }
}

/// What a script says of a folder.
struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark", abstract: tr("Say the state of a folder that a script takes care of."),
        discussion: tr(
            """
            The folder shows the state in every file manager; after `synced`, what changes in it shows as waiting. A run \
            begins with `syncing` and ends with `synced` or `error`. The state stays over restarts; `roundel remove DIR` \
            forgets it. `roundel run` does all this around a command.
            """))

    @Argument(help: ArgumentHelp(tr("The folder."), valueName: "dir"), completion: .directory)
    var path: String

    @Option(help: .markState)
    var state: String

    @Option(help: ArgumentHelp(tr("How much is done, in percent; with syncing.")))
    var progress: UInt8?

    @Option(help: ArgumentHelp(tr("A sentence that is shown with the state.")))
    var message: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let states: [Badge] = [.synced, .pending, .syncing, .paused, .error, .conflict]
        guard states.contains(Badge(state)) else {
            throw ValidationError(tr("There is no state “{1}”.", state))
        }
        guard progress.map({ $0 <= 100 }) ?? true else {
            throw ValidationError(tr("A progress is 0 to 100."))
        }
    }

    func run() async throws {
        let folder = try MarkedFolder.parse(path)
        var statement = MarksProxy.Statement(Badge(state))
        statement.progress = progress ?? Progress.none
        statement.message = message ?? ""
        let bus = try await Bus.open()
        try await InstalledEngine(MarksProxy.provider, bus: bus).turnOn()
        try await MarksProxy(bus: bus).mark(folder, statement)
        if output.json {
            Console().print(.object(JSON.item(folder.uri) + [.init("state", .string(state))]))
        }
    }
}

/// A folder of which something is said.
enum MarkedFolder {
    /// - Throws: ``CommandFailure`` if there is no directory at the path.
    static func parse(_ path: String) throws -> ItemURI {
        let folder = try ItemArgument.parse(path).uri
        guard ListedItem.kind(of: folder.filePath) == .directory else {
            throw CommandFailure(tr("“{1}” is not a folder.", folder.sentencePath))
        }
        return folder
    }
}
