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

    @Flag(
        name: [.short, .long],
        help: ArgumentHelp(tr("List also what Roundel keeps for itself beside your files, such as .roundel.")))
    var all = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let directory = try self.directory.map(ItemArgument.parse) ?? ItemArgument.workingDirectory()
        var (listing, problem) = await listing(of: directory.uri, try ListedItem.list(directory.uri.filePath))
        if !all { listing.removeAll { OwnName.isOne($0.name.bytes) } }
        let console = Console()
        if output.json {
            console.print(listing.json)
        } else {
            console.print(lines: listing.lines(on: console.terminal))
        }
        if let problem { throw problem }
    }

    /// The items on disk are shown even if no badges are available.
    private func listing(of directory: ItemURI, _ entries: [ListedItem]) async -> (Listing, (any Error)?) {
        do {
            let host = HostProxy(bus: try await Bus.open())
            return (try await .load(directory, entries: entries, host: host), nil)
        } catch {
            return (Listing(directory: directory, entries: entries, states: [:], labels: BadgeLabels()), error)
        }
    }
}
