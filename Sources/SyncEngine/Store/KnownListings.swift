import SyncCore

/// Directories of one side's tree whose entries were compared with the rows, and matched. Until one of the rows changes,
/// the same entries match again, which their hash tells: most of what a scan sees, and no row is read for it.
struct KnownListings {
    private struct Listing {
        /// Of all entries with everything that is known of them; keyed anew in each process.
        var hash: Int
        var count: Int
        /// The directories among the rows, ordered by name.
        var directories: [NodeID]
    }

    private var listings: [NodeID: Listing] = [:]

    /// About a megabyte. What does not fit is compared with the rows as before: a scan comes by in the same order each
    /// time, so that something would have gone before it is needed if it made room for others.
    private static let limit = 16_384

    var isEmpty: Bool { listings.isEmpty }

    /// The directories among the rows with this parent, if these match the entries as far as 64 bits tell; nil if that is
    /// not known.
    func directories(of parent: NodeID, ifUnchanged entries: [ListedEntry]) -> [NodeID]? {
        guard let known = listings[parent], known.count == entries.count, known.hash == entries.hashValue else {
            return nil
        }
        return known.directories
    }

    /// The rows with this parent match the entries.
    mutating func note(_ directories: [NodeID], of parent: NodeID, as entries: [ListedEntry]) {
        guard listings.count < Self.limit || listings[parent] != nil else { return }
        listings[parent] = Listing(hash: entries.hashValue, count: entries.count, directories: directories)
    }

    /// A row with this parent changes, comes or goes.
    mutating func forget(_ parent: NodeID) { listings[parent] = nil }

    mutating func forgetAll() { listings = [:] }
}
