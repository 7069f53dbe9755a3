package import SyncCore
package import SyncEngine
package import SystemPackage

/// The place of a remote, as its address says it. Nothing is opened there before somebody asks for it.
package protocol RemotePlace: Sendable {
    /// The address in the one form that all addresses of the place have in common.
    var text: String { get }
    /// The name of the place in messages.
    var name: String { get }
    /// The directory of this computer that it is; nil for any other place. It is examined, watched and shown like the
    /// user's folder.
    var directory: FilePath? { get }
    /// Whether this program reaches it over a network, so that limits of speed and metered connections concern it, and
    /// it must be tried out before a folder is added.
    var needsNetwork: Bool { get }

    /// Whether one of two places contains or equals the other. Directories are compared on the disk instead.
    func overlaps(_ other: Self) -> Bool

    /// Finds out whether a folder can be synced with the place, and what it can do, which may take some seconds.
    func tryOut() async throws(RemoteRefusal) -> RemoteFindings

    /// Makes the directory, and those above it, where they are missing. Not called for directories of this computer.
    func makeMissing() async throws(RemoteRefusal)

    /// The directories in a directory of it, before a folder is synced with it.
    ///
    /// - Parameter most: The most that are returned.
    func directories(in path: RelativePath, most: Int) async throws(RemoteRefusal) -> FoundDirectories

    /// How many more bytes may be put there; nil if it does not tell.
    func available() async -> Int64?

    /// Opens the place for a folder, without asking it anything yet.
    func open(for use: RemoteUse) -> RemoteConnection
}

extension RemotePlace {
    package var directory: FilePath? { nil }
    package var needsNetwork: Bool { true }

    package func available() async -> Int64? { nil }

    /// Whether this place and one of any kind contain or equal one another.
    package func overlaps(any other: any RemotePlace) -> Bool { (other as? Self).map { overlaps($0) } ?? false }
}

/// What was found out about a remote, in the form that is stored. Nil for what the kind does not find out.
package struct RemoteFindings: Hashable, Sendable {
    /// The names of what it can do.
    package var traits: [String]?
    /// The identity of what answers there: if it changes, the remote must be tried out again.
    package var identity: String?

    package init(traits: [String]? = nil, identity: String? = nil) {
        (self.traits, self.identity) = (traits, identity)
    }
}

/// What a folder brings along to its remote.
package struct RemoteUse: Sendable {
    /// The identifier of the folder; what others staged at the remote is left alone.
    package let owner: EntryName
    /// How much free space transfers must leave.
    package let floor: FreeSpaceFloor
    /// What was found out when the remote was tried out.
    package let findings: RemoteFindings
    /// Where large transfers may be noted, so that they are resumed after a restart.
    package let transfers: TransferLedger
    /// The speed limit for contents of files.
    package let pace: TransferPace

    package init(
        owner: EntryName, leaving floor: FreeSpaceFloor = FreeSpaceFloor(), findings: RemoteFindings = RemoteFindings(),
        transfers: TransferLedger, pace: TransferPace = TransferPace()
    ) {
        (self.owner, self.floor, self.findings) = (owner, floor, findings)
        (self.transfers, self.pace) = (transfers, pace)
    }
}
