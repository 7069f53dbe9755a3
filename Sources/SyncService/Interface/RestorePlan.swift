internal import SyncCore
internal import SyncEngine

/// Which versions bring back what stood at a moment. Pure.
enum RestorePlan {
    /// A version that is kept of one of several folders.
    struct Found: Sendable {
        /// The folder's place in the list of those that were asked.
        var folder: Int
        /// Where the version was, below the root of the file system.
        var place: RelativePath
        var item: KeptItem
    }

    /// What stood at a moment and was replaced or deleted since: of each place the oldest version that went then or later,
    /// whichever folder and side keeps it, directories before what is in them.
    ///
    /// - Parameter moment: In seconds since 1970.
    static func whatStood(at moment: Int64, of found: [Found]) -> [Found] {
        var oldest: [RelativePath: Found] = [:]
        for found in found where found.item.version.date >= moment {
            if let known = oldest[found.place], rank(known) <= rank(found) { continue }
            oldest[found.place] = found
        }
        return oldest.values.sorted { $0.place.names.lexicographicallyPrecedes($1.place.names) }
    }

    /// Of what went within one second what holds something comes before the note on a directory, then what went first.
    private static func rank(_ found: Found) -> (Int64, Int, Int64, Int) {
        let version = found.item.version
        return (version.date, version.isNote ? 1 : 0, version.stored, found.folder)
    }
}
