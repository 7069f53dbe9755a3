import Support
import SystemPackage

/// A path that is followed: the root of a folder, an observed directory, or a symbolic link on the way to one.
///
/// A class because nodes, queues and pending batches refer to it; it is confined to the watcher's thread.
final class Anchor {
    enum Role: Equatable {
        case folder(FolderID, recursive: Bool)
        case observed
        /// A symbolic link that leads to this directory until it changes.
        case link(target: FilePath)
    }

    enum State: Equatable {
        /// Its path was not followed yet.
        case pending
        /// Watched.
        case attached(WatchNodeID)
        /// Was watched, but its directory, or one on the way to it, no longer exists.
        case dropped
        case missing
        /// Another kind of item is there.
        case blocked(RootKind)
        /// On a file system that is not watched and may not respond.
        case unwatchable
    }

    /// Identifies a directory independently of its name.
    struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    let role: Role
    /// The path as requested.
    let path: FilePath
    private(set) var state = State.pending
    /// The path without symbolic links, as far as it was found.
    private(set) var resolved: FilePath
    private(set) var identity: Identity?
    /// The place where the path currently ends, and the name that is missing there.
    private(set) var waitsAt: (node: WatchNodeID, name: [UInt8])?
    /// Directories whose entries are followed for this anchor.
    private var nameNodes: [WatchNodeID] = []

    /// Whether every watch of the folder has been in place once.
    private(set) var isEstablished = false
    /// Whether a directory of the folder has no watch.
    private(set) var lacksWatches = false
    /// Mounts below the folder that are not entered.
    private(set) var unwatchablePoints: Set<FilePath> = []
    /// The changes of a recursive folder that were not reported yet.
    private var changes = ChangeCoalescer()
    /// Names that disappeared from an observed directory.
    private var vanished = VanishedNames()
    /// For an observed directory: whether its disappearance was reported, and its return was not.
    private(set) var isToldAbsent = false

    init(role: Role, path: FilePath) {
        self.role = role
        self.path = path
        resolved = path
    }

    var folder: FolderID? {
        if case .folder(let id, _) = role { id } else { nil }
    }

    var isRecursive: Bool { role == folder.map { .folder($0, recursive: true) } }

    var node: WatchNodeID? {
        if case .attached(let node) = state { node } else { nil }
    }

    var isUnreliable: Bool {
        isRecursive && (state == .unwatchable || lacksWatches || !unwatchablePoints.isEmpty)
    }

    // MARK: Where it is

    func set(_ state: State) { self.state = state }

    /// Sets the path without symbolic links.
    func resolve(to path: FilePath) { resolved = path }

    /// A directory was found at the path.
    func identify(_ identity: Identity?) { self.identity = identity }

    func wait(at node: WatchNodeID, for name: [UInt8]) { waitsAt = (node, name) }

    /// Stops waiting and returns the place where it waited, if it did.
    func stopWaiting() -> WatchNodeID? {
        defer { waitsAt = nil }
        return waitsAt?.node
    }

    /// Records that the entries of a directory are needed; false if they already were.
    func use(_ node: WatchNodeID) -> Bool {
        guard !nameNodes.contains(node) else { return false }
        nameNodes.append(node)
        return true
    }

    /// The directories whose entries it needs.
    var usedNodes: [WatchNodeID] { nameNodes }

    func endUses() { nameNodes = [] }

    // MARK: How well it is watched

    func establish() { isEstablished = true }

    func setLacksWatches(_ isLacking: Bool) { lacksWatches = isLacking }

    func setUnwatchablePoints(_ points: Set<FilePath>) { unwatchablePoints = points }

    // MARK: What changed

    /// When the changes are due; nil while there are none.
    var changesDeadline: Instant? { changes.deadline }

    /// Whether everything in the folder counts as changed already.
    var hasOverflow: Bool { changes.overflow }

    func slot(for directory: FilePath) -> ChangeCoalescer.Slot { changes.slot(for: directory) }

    func noteItem(_ name: UnsafeBufferPointer<UInt8>, in slot: ChangeCoalescer.Slot, at now: Instant) {
        changes.noteItem(name, in: slot, at: now)
    }

    func noteDirectory(_ directory: FilePath, at now: Instant) { changes.noteDirectory(directory, at: now) }

    func noteOverflow(at now: Instant) { changes.noteOverflow(at: now) }

    /// Returns the changes of the folder and clears them; nil if there are none. Slots become invalid.
    func releaseChanges() -> TreeChanges? { folder.flatMap { changes.release(folder: $0) } }

    // MARK: What vanished

    /// When the vanished names are due; nil while there are none.
    var vanishedDeadline: Instant? { vanished.deadline }

    func tell(absent: Bool) { isToldAbsent = absent }

    func noteVanished(_ name: [UInt8], at now: Instant) { vanished.insert(name, at: now) }

    func noteReturned(_ name: UnsafeBufferPointer<UInt8>) { vanished.remove(name) }

    func releaseVanished() -> Set<[UInt8]> { vanished.release() }
}
