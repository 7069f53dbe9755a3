import ArgumentParser
import Client
import RoundelBus
import Support

struct ListingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: tr("List a directory with badges, sizes and progress."),
        discussion: tr(
            """
            Directories come first. Items that the provider knows and that are not on disk yet are listed too. In an \
            on-demand folder it says what is here, what is online, and the size that a directory would take.
            """))

    @Argument(
        help: ArgumentHelp(tr("A directory; by default the working directory."), valueName: "dir"),
        completion: .directory)
    var directory: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let directory = try self.directory.map(ItemArgument.parse) ?? ItemArgument.workingDirectory()
        let entries = try ListedItem.list(directory.uri.filePath).filter { !Self.isOwn($0.name) }
        let (listing, problem) = await listing(of: directory.uri, entries)
        let console = Console()
        if output.json {
            console.print(listing.json)
        } else {
            console.print(lines: listing.lines(on: console.terminal))
        }
        if let problem { throw problem }
    }

    /// The items on disk are shown even if no badges are available.
    /// Whether an item is what sync engines keep for themselves beside the items of people.
    private static func isOwn(_ name: [UInt8]) -> Bool {
        name == Array(".roundel".utf8) || name.starts(with: ".roundel-stage-".utf8)
    }

    private func listing(of directory: ItemURI, _ entries: [ListedItem]) async -> (Listing, (any Error)?) {
        do {
            let host = HostProxy(bus: try await Bus.open())
            return (try await .load(directory, entries: entries, host: host), nil)
        } catch {
            return (Listing(directory: directory, entries: entries, states: [:], labels: BadgeLabels()), error)
        }
    }
}
