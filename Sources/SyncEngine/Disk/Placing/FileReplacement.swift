import Glibc
import SyncCore
import SystemPackage

/// Replaces files by staged ones, and keeps what they replace.
struct FileReplacement: Sendable {
    let root: DiskRoot
    let barrier: RenameBarrier
    let keeper: VersionKeeper
    let writers: WriterGuard
    let permissions: FilePermissions
    let staging: FileStaging

    /// Replaces the version `expected` by the staged file `file`, which gets everything that version carries besides
    /// its contents.
    ///
    /// - Parameter bits: The permissions to set; nil for those of the replaced version.
    /// - Returns: The status of the file just before it was placed, and an explanation of what could not be kept; nil
    ///   if everything could.
    func replace(
        at path: RelativePath, _ name: EntryName, in parent: DirectoryHandle, expecting expected: Version,
        with file: StagedFile, permissions bits: Permissions?
    ) throws(EffectFailure) -> (FileStatus, Explanation?) {
        let opened = try writers.refuseWhileWritten(path, name, in: parent)
        let (given, remark) = try permissions.carryOver(
            to: file, from: name, in: parent, opened, at: path, expecting: expected, permissions: bits)
        let kept = try exchange(file, with: name, in: parent, at: path, expecting: expected)
        return (given, remark ?? keeper.notice(ofKeeping: kept, at: path))
    }

    /// Exchanges a file with the version expected at `path`, which then goes to the store of replaced versions.
    ///
    /// The exchange is one step, and the replaced version is checked again afterwards: if another one came in between,
    /// it is exchanged back. All versions have a name at every moment, so a power failure loses none.
    ///
    /// - Returns: The status of the version that is now in the store.
    @discardableResult
    func exchange(
        _ file: StagedFile, with name: EntryName, in parent: DirectoryHandle, at path: RelativePath,
        expecting expected: Version
    ) throws(EffectFailure) -> FileStatus {
        let current = try root.attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard root.versions.matches(current, expected, kind: .file) else { throw root.changed(path) }
        let note = KeptNote(path, .replaced, placeholder: file.status.inode)
        let (replaced, slot) = try keeper.announce(note, in: parent) { store, slot throws(EffectFailure) in
            barrier.note { file.noteGiving(&$0) }
            try root.attempt(path) { _ throws(Errno) in try file.give(slot, in: store.directory) }
        }
        do throws(EffectFailure) {
            try swap(slot, in: replaced.directory, with: name, in: parent, at: path, current)
        } catch {
            takeBack(file, from: slot, of: replaced)
            throw error
        }
        root.kept.add(current)
        return current
    }

    /// The exchange failed or was undone: removes the new file's name from the store. Anything else in the slot is
    /// kept. So is the new file if it was written to, or something was put into it, while it had the user's name.
    func takeBack(_ file: StagedFile, from slot: EntryName, of store: ReplacedStore) {
        if let status = try? store.directory.status(of: slot) {
            guard status.inode == file.status.inode else { return }
            guard isUntouched(slot, in: store.directory, since: file.status) else {
                try? store.keepPlaceholder(slot)
                // Its contents are not what was staged.
                return staging.forget(file)
            }
            try? file.takeBack(slot, from: store.directory)
        }
        // It is still there if it could not be taken back.
        if (try? store.directory.status(of: slot)) == nil { try? store.discard(slot) }
    }

    private func isUntouched(_ slot: EntryName, in store: DirectoryHandle, since before: FileStatus) -> Bool {
        if before.kind == .directory {
            return (try? store.directory(at: RelativePath([slot])).names().isEmpty) == true
        }
        return (try? store.status(of: slot))?.hasSameContents(as: before) == true
    }

    /// Exchanges the file kept as `slot` with the one at `name`, which must still be `current`.
    ///
    /// Watchers report an exchange as two renames: the first name vanishes and reappears, the second one appears and
    /// vanishes. So the user's name comes first; the other one is private.
    private func swap(
        _ slot: EntryName, in store: DirectoryHandle, with name: EntryName,
        in parent: DirectoryHandle, at path: RelativePath, _ current: FileStatus
    ) throws(EffectFailure) {
        do throws(Errno) {
            try parent.exchange(name, with: slot, in: store)
        } catch let error where error.isUnsupported {
            return try replaceByLink(slot, in: store, with: name, in: parent, at: path, current)
        } catch {
            throw EffectFailure(error, path, on: root.side)
        }
        guard let old = try? store.status(of: slot), old.isSameItem(as: current) else {
            try root.attempt(path) { _ throws(Errno) in try parent.exchange(name, with: slot, in: store) }
            throw root.changed(path)
        }
    }

    /// For file systems that cannot exchange names: the old version gets a second name, and the new one is renamed over
    /// it. A version that another program renames into place between the last check and the rename goes unnoticed; no
    /// system call of such a file system could prevent that.
    private func replaceByLink(
        _ slot: EntryName, in store: DirectoryHandle, with name: EntryName,
        in parent: DirectoryHandle, at path: RelativePath, _ current: FileStatus
    ) throws(EffectFailure) {
        let staged = RandomName.component(prefix: root.session)
        let staging = try root.attempt(path) { _ throws(Errno) in
            try root.workspace(of: parent, at: path.parent).area().staging()
        }
        barrier.note { $0.note(own: staging) }
        try root.attempt(path) { _ throws(Errno) in
            try store.rename(slot, to: staged, in: staging)
            try store.keep(name, of: parent, as: slot)
        }
        do throws(EffectFailure) {
            let last = try root.attempt(path) { _ throws(Errno) in try parent.status(of: name) }
            guard last.hasSameContents(as: current) else { throw root.changed(path) }
            try root.attempt(path) { _ throws(Errno) in try staging.rename(staged, to: name, in: parent) }
        } catch {
            try? store.removeFile(slot)
            try? staging.rename(staged, to: slot, in: store)
            throw error
        }
    }
}
