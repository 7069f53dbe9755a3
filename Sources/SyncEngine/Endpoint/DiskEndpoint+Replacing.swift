import Glibc
import SyncCore
import SystemPackage

extension DiskEndpoint {
    /// Replaces the version `expected` by the staged file `file`, which gets everything that version carries besides
    /// its contents.
    ///
    /// - Parameter permissions: The permissions to set; nil for those of the replaced version.
    /// - Returns: The status of the file just before it was placed, and an explanation of what could not be kept; nil
    ///   if everything could.
    func replaceChecked(
        at path: RelativePath, _ name: EntryName, in parent: DirectoryHandle, expecting expected: Version,
        with file: StagedFile, permissions: Permissions?
    ) throws(EffectFailure) -> (FileStatus, Explanation?) {
        let opened = try refuseWhileWritten(path, name, in: parent)
        let (given, remark) = try carryOver(
            to: file, from: name, in: parent, opened, at: path, expecting: expected, permissions: permissions)
        let kept = try exchange(file, with: name, in: parent, at: path, expecting: expected)
        return (given, remark ?? notice(ofKeeping: kept, at: path))
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
        let current = try attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(current, expected, kind: .file) else { throw changed(path) }
        let note = KeptNote(path, .replaced, date: Self.seconds(), placeholder: file.status.inode)
        let (replaced, slot) = try announce(note, in: parent)
        withUnsynced { file.noteGiving(&$0) }
        try attempt(path) { _ throws(Errno) in
            do throws(Errno) {
                try file.give(slot, in: replaced.directory)
            } catch {
                try? replaced.discard(slot)
                throw error
            }
        }
        do throws(EffectFailure) {
            try swap(slot, in: replaced.directory, with: name, in: parent, at: path, current)
        } catch {
            takeBack(file, from: slot, of: replaced)
            throw error
        }
        countKept(current)
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
                return forget(file)
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
            throw EffectFailure(error, path, on: side)
        }
        guard let old = try? store.status(of: slot), old.isSameItem(as: current) else {
            try attempt(path) { _ throws(Errno) in try parent.exchange(name, with: slot, in: store) }
            throw changed(path)
        }
    }

    /// For file systems that cannot exchange names: the old version gets a second name, and the new one is renamed over
    /// it. A version that another program renames into place between the last check and the rename goes unnoticed; no
    /// system call of such a file system could prevent that.
    private func replaceByLink(
        _ slot: EntryName, in store: DirectoryHandle, with name: EntryName,
        in parent: DirectoryHandle, at path: RelativePath, _ current: FileStatus
    ) throws(EffectFailure) {
        let staged = RandomName.component(prefix: session)
        let staging = try attempt(path) { _ throws(Errno) in
            try workspace(of: parent, at: path.parent).area().staging()
        }
        withUnsynced { $0.note(own: staging) }
        try attempt(path) { _ throws(Errno) in
            try store.rename(slot, to: staged, in: staging)
            try store.keep(name, of: parent, as: slot)
        }
        do throws(EffectFailure) {
            let last = try attempt(path) { _ throws(Errno) in try parent.status(of: name) }
            guard last.hasSameContents(as: current) else { throw changed(path) }
            try attempt(path) { _ throws(Errno) in try staging.rename(staged, to: name, in: parent) }
        } catch {
            try? store.removeFile(slot)
            try? staging.rename(staged, to: slot, in: store)
            throw error
        }
    }

    /// The file at `name` is about to be renamed over: gives it a second name in the store, and returns that name.
    func keepBeforeRename(
        _ name: EntryName, in parent: DirectoryHandle, at path: RelativePath, _ current: FileStatus
    ) throws(EffectFailure) -> EntryName {
        let (replaced, slot) = try announce(KeptNote(path, .replaced, date: Self.seconds()), in: parent)
        do throws(EffectFailure) {
            let last = try attempt(path) { _ throws(Errno) in
                try replaced.directory.keep(name, of: parent, as: slot)
                return try parent.status(of: name)
            }
            guard last.hasSameContents(as: current) else { throw changed(path) }
            countKept(current)
            return slot
        } catch {
            try? replaced.discard(slot)
            throw error
        }
    }

    /// - Returns: The opened file; nil if it cannot be opened for reading, in which case it can still be replaced.
    @discardableResult
    func refuseWhileWritten(
        _ path: RelativePath, _ name: EntryName, in parent: DirectoryHandle
    ) throws(EffectFailure) -> (file: Descriptor, status: FileStatus)? {
        guard let file = try? parent.open(name, DirectoryHandle.reading), let status = try? file.status() else {
            return nil
        }
        if writers(file, versions.kind(of: status)) == .busy {
            throw EffectFailure(.busy, .beingWritten, side, path)
        }
        return (file, status)
    }
}

extension DirectoryHandle {
    /// Gives a file of `parent` a second name in this directory; without links, a copy gets that name.
    fileprivate func keep(_ name: EntryName, of parent: DirectoryHandle, as copy: EntryName) throws(Errno) {
        do throws(Errno) {
            try parent.link(name, to: copy, in: self)
        } catch let error where error.isUnsupported {
            try copyFile(name, from: parent, to: copy)
        }
    }

    /// Copies a file from `parent` into this directory and makes the copy durable.
    private func copyFile(
        _ name: EntryName, from parent: DirectoryHandle, to copy: EntryName
    ) throws(Errno) {
        let source = try parent.open(name, DirectoryHandle.reading)
        let target = try open(RelativePath([copy]), O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: UInt64 = 0
        while true {
            let count = try source.read(into: &buffer, at: offset)
            if count == 0 { break }
            try target.writeAll(Array(buffer[..<count]))
            offset += UInt64(count)
        }
        let status = try source.status()
        try target.setModified(status.modified)
        // What the copy cannot carry is lost: it depends on the other file system.
        _ = FileAttributes.copy(from: source, to: target)
        try? target.setPermissions(status.mode)
        try target.synchronize()
    }
}
