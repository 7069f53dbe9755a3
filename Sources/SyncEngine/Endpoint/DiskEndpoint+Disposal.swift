import SyncCore
import SystemPackage

/// The store of replaced versions: how versions enter it, and how much it keeps.
extension DiskEndpoint {
    /// Notes that a version is about to enter the store; returns the store and the name for the version there.
    ///
    /// If there is no space even for the note, kept versions are removed, the oldest first.
    ///
    /// - Parameter parent: The directory that holds the version: the store is on its file system.
    func announce(
        _ note: KeptNote, in parent: DirectoryHandle
    ) throws(EffectFailure) -> (ReplacedStore, EntryName) {
        let own = try attempt(note.path) { _ throws(Errno) in try workspace(of: parent, at: note.path.parent) }
        let replaced = try replacedStore(of: own, for: note.path)
        let moment = givenRoom.moment
        do throws(Errno) {
            let slot: EntryName
            do throws(Errno) {
                slot = try replaced.announce(note)
            } catch .noSpace, .diskQuotaExceeded {
                guard makeRoom(for: 1, in: own, since: moment) else { throw .noSpace }
                slot = try replaced.announce(note)
            }
            withUnsynced { $0.note(announced: slot, in: replaced) }
            return (replaced, slot)
        } catch {
            throw EffectFailure(error, note.path, on: side)
        }
    }

    private func replacedStore(
        of workspace: Workspace, for path: RelativePath
    ) throws(EffectFailure) -> ReplacedStore {
        do throws(Errno) {
            return try workspace.replaced()
        } catch .permissionDenied, .notPermitted, .fileExists, .notDirectory {
            throw EffectFailure(.denied, .cannotKeep, side, path)
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    /// Does what needs room on the disk of a directory; where there is none, the oldest kept versions give way first.
    func withRoom<Result>(
        near path: RelativePath, _ body: () throws(EffectFailure) -> Result
    ) throws(EffectFailure) -> Result {
        while true {
            let moment = givenRoom.moment
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

    /// Removes the oldest kept versions until this many bytes are free, unless others made room since a moment of
    /// `givenRoom`; false if there was nothing to remove. Versions that were put away since renames were last made durable
    /// are not removed.
    ///
    /// - Parameter onlyIfEnough: Whether nothing is removed unless that makes enough room.
    func makeRoom(for bytes: Int64, in workspace: Workspace, since moment: Int, onlyIfEnough: Bool = false) -> Bool {
        givenRoom.make(since: moment) {
            let recent = withUnsynced { $0.slots }
            let isMade = try? workspace.replaced().makeRoom(
                for: UInt64(clamping: bytes), except: recent, onlyIfEnough: onlyIfEnough)
            return isMade ?? false
        }
    }

    /// What is to be said of a version that was put away: nothing, unless it is too large to be kept.
    func notice(ofKeeping version: FileStatus, at path: RelativePath) -> Explanation? {
        version.room > ReplacedStore.Limits().size ? Explanation(.tooLargeToKeep, side, "\(path)") : nil
    }

    /// Removes kept versions that exceed the limits. Call it only while nothing is being put into the store.
    func pruneKept() {
        guard let replaced = try? workspace().replaced(), isStoreFull(replaced.limits),
            let kept = try? replaced.prune()
        else { return }
        setKept(kept)
    }
}
