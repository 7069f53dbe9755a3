package import SyncCore
package import SyncEngine

/// A remote that is open for one folder, as long as this value or a copy of it exists.
package struct RemoteConnection: Sendable {
    /// The remote side of the folder.
    package let remote: any Remote
    /// Whether large transfers are noted and resumed after a restart.
    package let resumesTransfers: Bool
    /// The server behind it; nil if nobody is to be asked, reviewed or listened to.
    package let server: (any RemoteServer)?
    /// The pages and links of its items; nil if it never has any.
    package let pages: (any ItemPages)?
    /// The shares of its items with others; nil if it never makes any.
    package let sharing: (any ItemSharing)?
    /// The locks that people set on its files; nil if there are never any.
    package let locking: (any ItemLocking)?
    /// The versions that it keeps of its files by itself; nil if it never keeps any.
    package let versions: (any ItemVersions)?

    package init(
        _ remote: any Remote, resumesTransfers: Bool = false, server: (any RemoteServer)? = nil,
        pages: (any ItemPages)? = nil, sharing: (any ItemSharing)? = nil, locking: (any ItemLocking)? = nil,
        versions: (any ItemVersions)? = nil
    ) {
        (self.remote, self.resumesTransfers, self.server, self.pages) = (remote, resumesTransfers, server, pages)
        (self.sharing, self.locking, self.versions) = (sharing, locking, versions)
    }
}

/// A server that may refuse somebody, become another one, and report changes.
package protocol RemoteServer: Sendable {
    /// The user wants the server to be asked, whatever it refused before.
    func retry() async

    /// Tries the server out again if it is no longer the one with this identity; nil if it still is.
    ///
    /// - Parameter known: The identity; nil if none was stored.
    func review(unless known: String?) async throws(RemoteRefusal) -> RemoteFindings?

    /// Uses the server as what it was found to be.
    func adopt(_ findings: RemoteFindings)

    /// Whether the server is of a sort that is known to report changes.
    var mayReportChanges: Bool { get }

    /// Listens to reports of changes until the connection ends.
    ///
    /// - Parameter onChange: Called on any thread when something may have changed.
    /// - Returns: Whether the server must not be asked again soon.
    func listen(_ onChange: @escaping @Sendable () -> Void) async -> Bool

    /// Sends nothing more with the login that is saved now.
    ///
    /// - Parameter user: The user whose login ends; nil for any.
    func endLogin(of user: String?) async
}

/// The pages in a browser and the share links that a remote has for its items.
package protocol ItemPages: Sendable {
    /// Whether items have pages.
    var showsItems: Bool { get }
    /// Whether items can be shared by links.
    var givesShareLinks: Bool { get }

    /// The address of the item itself, which needs no request.
    func address(of item: RelativePath, isDirectory: Bool) -> String

    /// The address of an item's page, for a browser; nil if it has none.
    func page(of item: RelativePath, isDirectory: Bool) async throws(EffectFailure) -> String?

    /// A link with which anyone can read an item; it is created if it does not exist.
    /// - Parameter end: The last day on which the link works, at the latest, as `2026-11-28`; nil for no end.
    func shareLink(to item: RelativePath, until end: String?) async throws(ShareLinkFailure) -> String
}

/// Why there is no share link.
package enum ShareLinkFailure: Error, Hashable, Sendable {
    /// The request failed.
    case failed(EffectFailure)
    /// The remote creates no link to this item; with its one-line reason for the user, if it gives one.
    case refused(String?)
    /// It made a link to something else, or one that is not what was asked for; whether it was taken back.
    case wrongLink(isTakenBack: Bool)
}

/// The locks that people set on files of a remote, so that others do not write them.
package protocol ItemLocking: Sendable {
    /// Whether files can be locked, as far as is known.
    var locksFiles: Bool { get }

    /// Locks a file for the user, or ends the user's lock.
    func setLock(_ isLocked: Bool, on item: RelativePath) async throws(LockFailure)
}

/// Why a lock was not changed.
package enum LockFailure: Error, Hashable, Sendable {
    /// The request failed.
    case failed(EffectFailure)
    /// Somebody else has the file locked, or the server does not let it be done.
    case refused
}
