import ArgumentParser
import Client
import RoundelBus
import Support
import SystemPackage

/// The folders in which git's states are shown.
struct GitCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: tr("Show git's states in repositories."),
        discussion: tr(
            """
            In these folders file managers show what is modified, staged, not tracked or in conflict, and stage, \
            unstage, compare and discard in their menus. Nothing is fetched or pushed. The first folder turns the \
            engine on; `roundel providers disable git` turns it off.
            """),
        subcommands: [GitListCommand.self, GitAddCommand.self, GitRemoveCommand.self],
        defaultSubcommand: GitListCommand.self)

    static let engine = "git"
}

struct GitListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: tr("List the folders, with branches and states."))

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let engine = InstalledEngine(GitCommands.engine, bus: try await Bus.open())
        let console = Console()
        guard try await engine.summary().enabled else {
            if output.json { return console.print(.array([])) }
            return console.print(tr("The engine for git is off. Add a repository with: roundel git add PATH"))
        }
        let folders = try await engine.folders().status("").folders
        if output.json {
            console.print(.array(folders.map(\.json)))
        } else if folders.isEmpty {
            console.print(tr("No folder shows git's states. Add one with: roundel git add PATH"))
        } else {
            var table = Table([.left, .left])
            for folder in folders {
                let text = folder.message ?? folder.text
                table.append([
                    Table.Cell(WorkerPath.shown(folder.uri, on: console.terminal), .bold, isPath: true),
                    Table.Cell(text, folder.message == nil ? .dim : .red),
                ])
            }
            console.print(lines: table.lines(on: console.terminal))
        }
    }
}

struct GitAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: tr("Show git's states in a repository, or in all repositories below a folder."))

    @Argument(
        help: ArgumentHelp(tr("Something in a repository, or a folder that holds some."), valueName: "path"),
        completion: .directory)
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folders = try paths.map { try Self.folder(of: try ItemArgument.parse($0).uri) }
        let engine = InstalledEngine(GitCommands.engine, bus: try await Bus.open())
        try await engine.turnOn()
        let proxy = try await engine.folders()
        for folder in folders { _ = try await proxy.addFolder(uri: folder.uri, remote: "", options: .init()) }
        let console = Console()
        if output.json { return console.print(.array(folders.map { .object(JSON.item($0.uri)) })) }
        for folder in folders { console.print(tr("{1} shows git's states.", folder.sentencePath)) }
        let waiting = try await engine.summary().waiting.filter { folders.contains($0.folder) }
        for wait in waiting {
            console.print(
                tr(
                    "{1} lies above or below a folder of another engine, whose badges show until you say: {2}",
                    wait.folder.sentencePath,
                    "roundel providers allow \(GitCommands.engine) \(WorkerPath.shellWord(wait.folder.uri))"))
        }
    }

    /// The root of the repository in which an item is, else the item. A home directory that is a repository, as some have
    /// for their settings, has to be named itself.
    /// - Throws: ``CommandFailure`` if there is no directory.
    private static func folder(of item: ItemURI) throws -> ItemURI {
        var place = item
        let home = BaseDirectories().home
        while place == item || place.filePath != home {
            if ListedItem.kind(of: place.filePath.appending(".git")) != nil { return place }
            guard let parent = place.parent else { break }
            place = parent
        }
        guard ListedItem.kind(of: item.filePath) == .directory else {
            throw CommandFailure(tr("“{1}” is neither in a repository nor a folder.", item.sentencePath))
        }
        return item
    }
}

struct GitRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: tr("Show git's states no longer in a folder; nothing in it changes."))

    @Argument(help: ArgumentHelp(tr("The folder."), valueName: "path"), completion: .directory)
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folders = try paths.map { try ItemArgument.parse($0).uri }
        let proxy = try await InstalledEngine(GitCommands.engine, bus: try await Bus.open()).folders()
        for folder in folders { _ = try await proxy.removeFolder(at: folder) }
        let console = Console()
        if output.json { return console.print(.array(folders.map { .object(JSON.item($0.uri)) })) }
        for folder in folders { console.print(tr("{1} shows git's states no longer.", folder.sentencePath)) }
    }
}
