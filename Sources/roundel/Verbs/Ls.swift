import ArgumentParser
import RoundelBus
import Support

struct ListingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: Help.Listing.abstract,
        discussion: Help.Listing.discussion)

    @Argument(help: ArgumentHelp(Help.Listing.directory, valueName: "dir"), completion: .directory)
    var directory: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let directory = try self.directory.map(ItemArgument.parse) ?? ItemArgument.workingDirectory()
        let entries = try ListedItem.list(directory.uri.filePath)
        let (snapshot, problem) = await badges(directory.uri, entries)
        let listing = Listing(
            directory: directory.uri, entries: entries, states: snapshot.states, labels: snapshot.labels)
        let console = Console()
        if output.json {
            console.print(listing.json)
        } else {
            console.print(lines: listing.lines(on: console.terminal))
        }
        if let problem { throw problem }
    }

    /// The items on disk are shown even if no badges are available.
    private func badges(
        _ directory: ItemURI, _ entries: [ListedItem]
    ) async -> (DirectorySnapshot, (any Error)?) {
        do {
            return (try await .take(directory, entries: entries, host: HostProxy(bus: try await Bus.open())), nil)
        } catch {
            return (DirectorySnapshot(states: [:], labels: BadgeLabels()), error)
        }
    }
}

/// The badges of a directory at one moment.
struct DirectorySnapshot {
    let states: [ItemName: ItemBadge]
    let labels: BadgeLabels

    /// Requests the badges of the items on disk, and of other items that the provider knows.
    static func take(
        _ directory: ItemURI, entries: [ListedItem], host: HostProxy
    ) async throws -> DirectorySnapshot {
        let items = entries.compactMap { try? directory.appending(ItemName(bytes: $0.name)) }
        var badges = try BadgeWatch(items, host: host)
        try await badges.load(within: Patience.CommandLine.badges)
        var states: [ItemName: ItemBadge] = [:]
        if try await host.beginObserving(directory) {
            states = try await host.badges(ofAllIn: directory)
        }
        for item in items {
            // If both responses contain an item, the later one counts.
            if let name = item.name, states[name] == nil { states[name] = badges.badge(of: item) }
        }
        return DirectorySnapshot(states: states, labels: BadgeLabels(badges.images))
    }
}
