import SyncCore
import SystemPackage

/// Puts versions into the store of replaced versions, and limits how much it keeps.
struct VersionKeeper: Sendable {
    let root: DiskRoot
    let barrier: RenameBarrier
    private let given = GivenRoom()

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
        let moment = moment
        do throws(Errno) {
            let slot: EntryName
            do throws(Errno) {
                slot = try replaced.announce(note)
            } catch .noSpace, .diskQuotaExceeded {
                guard makeRoom(for: 1, in: own, since: moment) else { throw .noSpace }
                slot = try replaced.announce(note)
            }
            barrier.note { $0.note(announced: slot, in: replaced) }
            return (replaced, slot)
        } catch {
            throw EffectFailure(error, note.path, on: root.side)
        }
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

    /// Does what needs room on the disk of a directory; where there is none, the oldest kept versions give way first.
    func withRoom<Result>(
        near path: RelativePath, _ body: () throws(EffectFailure) -> Result
    ) throws(EffectFailure) -> Result {
        while true {
            let moment = moment
            do throws(EffectFailure) {
                return try body()
            } catch {
                guard error.reason == .noSpace, makeRoom(for: Self.roomForNames, near: path, since: moment) else {
                    throw error
                }
            }
        }
    }

    /// In bytes: enough for the names and the notes of a batch.
    private static let roomForNames: Int64 = 1 << 20

    /// A moment, for ``makeRoom(for:near:since:onlyIfEnough:)``.
    var moment: Int { given.moment }

    /// Removes the oldest versions kept on the file system of a path until this many bytes are free there, unless others
    /// made room since a moment; false if there was nothing to remove.
    ///
    /// - Parameter onlyIfEnough: Whether nothing is removed unless that makes enough room.
    func makeRoom(for bytes: Int64, near path: RelativePath, since moment: Int, onlyIfEnough: Bool = false) -> Bool {
        guard let own = try? root.workspace(near: path) else { return false }
        return makeRoom(for: bytes, in: own, since: moment, onlyIfEnough: onlyIfEnough)
    }

    /// Versions that were put away since renames were last made durable are not removed.
    private func makeRoom(
        for bytes: Int64, in workspace: Workspace, since moment: Int, onlyIfEnough: Bool = false
    ) -> Bool {
        given.make(since: moment) {
            let recent = barrier.announcedSlots
            let isMade = try? workspace.replaced().makeRoom(
                for: UInt64(clamping: bytes), except: recent, onlyIfEnough: onlyIfEnough)
            return isMade ?? false
        }
    }

    /// Removes kept versions that exceed the limits. Call it only while nothing is being put into the store.
    func prune() {
        guard let replaced = try? root.workspace().replaced(), root.kept.isOver(replaced.limits),
            let kept = try? replaced.prune()
        else { return }
        root.kept.wasPruned(kept)
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
        return KeptStores(holders: holders, side: root.side)
    }
}
