package import SyncCore
package import SyncEngine

/// A version of a file that its server keeps beside the current one.
package struct PastVersion: Hashable, Sendable {
    /// What identifies it among the versions of the file.
    package var id: String
    /// When it was written, in seconds since 1970.
    package var modified: Int64
    /// The size in bytes.
    package var size: Int64
    /// The account that wrote it; nil if the server does not tell.
    package var author: String?

    package init(id: String, modified: Int64, size: Int64, author: String? = nil) {
        (self.id, self.modified, self.size, self.author) = (id, modified, size, author)
    }
}

/// Who wrote a version of a file.
package struct ItemAuthor: Hashable, Sendable {
    /// How people call them.
    package var name: String
    /// Whether it is the account that the folder syncs with.
    package var isOwn: Bool

    package init(name: String, isOwn: Bool) { (self.name, self.isOwn) = (name, isOwn) }
}

/// The versions of files that a remote keeps by itself.
package protocol ItemVersions: Sendable {
    /// The versions of a file besides the current one, the newest first.
    func versions(of item: RelativePath) async throws(VersionFailure) -> [PastVersion]

    /// Who wrote the current version of a file; nil if the server does not tell, or if the file has another version by now.
    ///
    /// - Parameters:
    ///   - modified: When the version was written that is meant, in seconds since 1970.
    ///   - size: Its size in bytes.
    func author(of item: RelativePath, modified: Int64, size: Int64) async throws(VersionFailure) -> ItemAuthor?

    /// Opens one of the versions of a file for reading.
    func open(_ version: String, of item: RelativePath) async throws(VersionFailure) -> any ContentSource
}

/// Why versions of a file are not listed or read.
package enum VersionFailure: Error, Hashable, Sendable {
    /// The request failed.
    case failed(EffectFailure)
    /// The server does not answer in time.
    case silent
    /// The server keeps no versions.
    case keepsNone
    /// The file has no such version.
    case noSuchVersion
}
