import SyncCore
import SystemPackage

/// The store of replaced versions: what goes there, and how much.
extension DiskEndpoint {
    /// Notes that a version is about to go to the store, and returns the store and the name for the version there.
    ///
    /// Kept versions give way, the oldest first, where there is no space left even for that.
    ///
    /// - Parameter parent: The directory that holds the version: the store is on its file system.
    func announce(
        _ note: KeptNote, in parent: DirectoryHandle
    ) throws(EffectFailure) -> (ReplacedStore, EntryName) {
        let own = try attempt(note.path) { _ throws(Errno) in try workspace(of: parent, at: note.path.parent) }
        let replaced = try replacedStore(of: own, for: note.path)
        do throws(Errno) {
            let slot: EntryName
            do throws(Errno) {
                slot = try replaced.announce(note)
            } catch .noSpace, .diskQuotaExceeded {
                guard makeRoom(for: 1, in: own) else { throw .noSpace }
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

    /// Removes the oldest kept versions until as many bytes are free; false if there was nothing to remove. What was
    /// taken away since renames were made durable last stays.
    func makeRoom(for bytes: Int64, in workspace: Workspace) -> Bool {
        let recent = withUnsynced { $0.slots }
        let isMade = try? workspace.replaced().makeRoom(for: UInt64(clamping: bytes), except: recent)
        return isMade ?? false
    }

    /// Removes what is more than is to be kept. Only while nothing is being kept.
    func pruneKept() {
        guard let replaced = try? workspace().replaced(), countKept(0) > replaced.limits.size,
            let kept = try? replaced.prune()
        else { return }
        setKept(kept)
    }
}
