package import SyncCore

/// Directories in a directory of a remote, for a person to choose from.
package struct FoundDirectories: Sendable, Equatable {
    /// One of them.
    package struct Directory: Sendable, Equatable {
        package let name: EntryName
        /// Bytes of everything in it; nil if the remote does not tell that by itself.
        package let size: Int64?
        /// Whether there are directories in it; nil if the remote does not tell that by itself.
        package let hasDirectories: Bool?

        package init(_ name: EntryName, size: Int64? = nil, hasDirectories: Bool? = nil) {
            (self.name, self.size, self.hasDirectories) = (name, size, hasDirectories)
        }
    }

    /// In the order of their names.
    package let directories: [Directory]
    /// Whether some were left out.
    package let hasMore: Bool

    /// - Parameter most: The most that are kept.
    package init(_ found: [Directory], most: Int, hasMore: Bool = false) {
        directories = Array(found.sorted { $0.name < $1.name }.prefix(most))
        self.hasMore = hasMore || found.count > most
    }
}
