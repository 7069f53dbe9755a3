internal import SyncCore
internal import SyncEngine

/// Selects the versions that restore the state of a past moment. Pure.
enum RestorePlan {
    /// A kept version in one of several folders.
    struct Found: Sendable {
        /// The index of the folder in the list of the searched folders.
        var folder: Int
        /// The place of the version, relative to the root of the file system.
        var place: RelativePath
        var item: KeptItem
    }

    /// The items that existed at a moment and were replaced or deleted since then. For each place, this is the oldest
    /// version that was removed at that moment or later, in whichever folder and on whichever side it is kept.
    /// Directories come before their contents.
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

    /// A sort key by time. Among versions removed in the same second, real items come before notes about directories,
    /// then earlier ones first.
    private static func rank(_ found: Found) -> (Int64, Int, Int64, Int) {
        let version = found.item.version
        return (version.date, version.isNote ? 1 : 0, version.stored, found.folder)
    }
}
