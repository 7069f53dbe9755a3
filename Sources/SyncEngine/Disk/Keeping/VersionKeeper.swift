import SyncCore
import SystemPackage

/// Puts versions into the store of replaced versions, and limits how much it keeps.
struct VersionKeeper: Sendable {
    let root: DiskRoot
    let barrier: RenameBarrier
    private let rooms = GivenRooms()

    init(root: DiskRoot, barrier: RenameBarrier) {
        (self.root, self.barrier) = (root, barrier)
    }

    // MARK: Entering the store

    /// Notes that a version is about to enter the store; returns the store and the name for the version there.
    ///
    /// If there is no space even for the note, kept versions are removed, the oldest first.
    ///
    /// - Parameter parent: The directory that holds the version: the store is on its file system.
    func announce(
        _ note: KeptNote, in parent: DirectoryHandle
    ) throws(EffectFailure) -> (ReplacedStore, EntryName) {
        let own = try root.workspace(holding: note.path, in: parent)
        let replaced = try replacedStore(of: own, for: note.path)
        let slot = try withRoom(for: Self.roomForNote, in: { own }) { () throws(EffectFailure) in
            try EffectFailure.attempt(note.path, on: root.side) { () throws(Errno) in try replaced.announce(note) }
        }
        barrier.note { $0.note(announced: slot, in: replaced) }
        return (replaced, slot)
    }

    /// Announces a version and runs `put`, which gives something the name in the store; if that fails, the note goes.
    @discardableResult
    func announce(
        _ note: KeptNote, in parent: DirectoryHandle, _ put: (ReplacedStore, EntryName) throws(EffectFailure) -> Void
    ) throws(EffectFailure) -> (ReplacedStore, EntryName) {
        let (replaced, slot) = try announce(note, in: parent)
        do throws(EffectFailure) {
            try put(replaced, slot)
            return (replaced, slot)
        } catch {
            try? replaced.discard(slot)
            throw error
        }
    }

    private func replacedStore(
        of workspace: Workspace, for path: RelativePath
    ) throws(EffectFailure) -> ReplacedStore {
        do throws(Errno) {
            return try workspace.replaced()
        } catch .permissionDenied, .notPermitted, .fileExists, .notDirectory {
            throw EffectFailure(.denied, .cannotKeep, root.side, path)
        } catch {
            throw EffectFailure(error, path, on: root.side)
        }
    }

    /// Moves a file into the store.
    ///
    /// - Parameter path: The path to note.
    func take(_ item: FoundItem, at path: RelativePath, _ reason: KeptVersion.Reason) throws(EffectFailure) {
        let (replaced, slot) = try announce(KeptNote(path, reason), in: item.parent) {
            store, slot throws(EffectFailure) in
            // Nobody else knows the slot. Whatever has the name is taken in one step, and looked at there.
            try root.attempt(path) { _ throws(Errno) in
                try item.parent.rename(item.name, to: slot, in: store.directory)
            }
        }
        guard let now = try? replaced.directory.status(of: slot), now.hasSameContents(as: item.status) else {
            try? replaced.directory.renameWithoutReplacing(slot, to: item.name, in: item.parent)
            throw root.changed(path)
        }
        root.kept.add(now)
    }

    /// Removes a placeholder. It is taken and looked at like a file that is kept: whatever else has its name meanwhile
    /// comes back.
    func removePlaceholder(_ item: FoundItem, at path: RelativePath) throws(EffectFailure) {
        let (replaced, slot) = try announce(KeptNote(path, .deleted), in: item.parent) {
            store, slot throws(EffectFailure) in
            try root.attempt(path) { _ throws(Errno) in
                try item.parent.rename(item.name, to: slot, in: store.directory)
            }
        }
        guard let now = try? replaced.directory.status(of: slot), now.placeholder != nil,
            now.hasSameContents(as: item.status)
        else {
            try? replaced.directory.renameWithoutReplacing(slot, to: item.name, in: item.parent)
            throw root.changed(path)
        }
        try? replaced.discard(slot)
    }

    /// A file is about to be renamed over: gives it a second name in the store, and returns that name.
    func keepBeforeRename(_ item: FoundItem, at path: RelativePath) throws(EffectFailure) -> EntryName {
        let (_, slot) = try announce(KeptNote(path, .replaced), in: item.parent) {
            store, slot throws(EffectFailure) in
            let last = try root.attempt(path) { _ throws(Errno) in
                try store.directory.keep(item.name, of: item.parent, as: slot)
                return try item.parent.status(of: item.name)
            }
            guard last.hasSameContents(as: item.status) else { throw root.changed(path) }
        }
        root.kept.add(item.status)
        return slot
    }

    /// What is to be said of a version that was put away: nothing, unless it is too large to be kept.
    func notice(ofKeeping version: FileStatus, at path: RelativePath) -> Explanation? {
        version.room > ReplacedStore.Limits().size ? Explanation(.tooLargeToKeep, root.side, "\(path)") : nil
    }

    // MARK: Limits

    /// Does what needs room for names on the disk of a directory; where there is none, the oldest kept versions give way
    /// first.
    func withRoom<Result>(
        near path: RelativePath, _ body: () throws(EffectFailure) -> Result
    ) throws(EffectFailure) -> Result {
        try withRoom(for: Self.roomForNames, in: { try? root.workspace(near: path) }, body)
    }

    /// Repeats `body` while it finds no room and kept versions make some. What is full may have nothing to do with what
    /// they hold (the quota of a project, the index of a directory), so that one call removes few.
    private func withRoom<Result>(
        for bytes: UInt64, in workspace: () -> Workspace?, _ body: () throws(EffectFailure) -> Result
    ) throws(EffectFailure) -> Result {
        var removals = 0
        var removable: [ReplacedVersion]?
        for _ in 1..<Self.attempts {
            let moment = moment
            do throws(EffectFailure) {
                return try body()
            } catch {
                guard error.reason == .noSpace, let workspace = workspace() else { throw error }
                let outcome = rooms.room(in: workspace).make(since: moment) {
                    guard removals < Self.removals, let replaced = try? workspace.replaced() else { return 0 }
                    removals += 1
                    var oldest = removable ?? (try? replaced.removable(except: barrier.announcedSlots)) ?? []
                    defer { removable = oldest }
                    return Int64(clamping: replaced.makeRoom(for: bytes, from: &oldest))
                }
                if outcome == .nothing { throw error }
            }
        }
        return try body()
    }

    /// How often one call removes versions.
    private static let removals = 2
    /// How often something is tried in the room that others make.
    private static let attempts = 32
    /// In bytes: enough for the names and the notes of a batch.
    private static let roomForNames: UInt64 = 1 << 20
    /// In bytes: enough for a note, though others write some at the same time.
    private static let roomForNote: UInt64 = 64 << 10

    /// A moment, for ``madeRoom(near:since:)``.
    var moment: Int { rooms.moment }

    /// Whether a file system is to show room that it does not show yet: ``makeRoom(until:near:measuring:settling:)`` is then
    /// to be told of room too.
    var awaitsRoom: Bool { rooms.isAnyAwaited }

    /// Whether others made room on the file system of a path since a moment.
    func madeRoom(near path: RelativePath, since moment: Int) -> Bool {
        guard let own = try? root.workspace(near: path) else { return false }
        return rooms.room(in: own).wasMade(since: moment)
    }

    /// Removes the oldest versions kept on the file system of a path, of this many bytes, unless others made room there
    /// since a moment.
    func makeRoom(for bytes: Int64, near path: RelativePath, since moment: Int) -> GivenRoom.Outcome {
        guard let own = try? root.workspace(near: path) else { return .nothing }
        return rooms.room(in: own).make(since: moment) { remove(bytes, in: own, onlyIfEnough: false) }
    }

    /// Removes the oldest versions kept on the file system of a path until this many bytes are free there, or none if all
    /// of them are not enough.
    ///
    /// - Parameters:
    ///   - available: The free bytes there; nil if they are not known.
    ///   - settle: Makes the file system carry out what it puts off.
    func makeRoom(
        until needed: Int64, near path: RelativePath, measuring available: () -> Int64?, settling settle: () -> Void
    ) -> GivenRoom.Outcome {
        guard let own = try? root.workspace(near: path) else { return .nothing }
        return rooms.room(in: own).make(until: needed, measuring: available, settling: settle) { missing in
            remove(missing, in: own, onlyIfEnough: true)
        }
    }

    /// Versions that were put away since renames were last made durable are not removed.
    private func remove(_ bytes: Int64, in workspace: Workspace, onlyIfEnough: Bool) -> Int64 {
        let recent = barrier.announcedSlots
        let freed = try? workspace.replaced().makeRoom(
            for: UInt64(clamping: bytes), except: recent, onlyIfEnough: onlyIfEnough)
        return Int64(clamping: freed ?? 0)
    }

    /// Removes kept versions that exceed the limits. Call it only while nothing is being put into the store.
    func prune() {
        guard let replaced = try? root.workspace().replaced(), root.kept.isOver(replaced.limits),
            let kept = try? replaced.prune()
        else { return }
        root.kept.wasCounted(kept)
    }

    // MARK: Putting back

    /// Everything that is kept, on every file system of the root.
    func stores() throws(Errno) -> KeptStores {
        var holders: [KeptStores.Holder] = []
        for workspace in try root.workspaces() {
            holders.append(
                KeptStores.Holder(
                    replaced: try workspace.replaced(), trash: workspace.trash, prefix: workspace.prefix))
        }
        if let former = try root.formerlyKept() { holders.append(KeptStores.Holder(replaced: former)) }
        return KeptStores(holders: holders, side: root.side)
    }
}
