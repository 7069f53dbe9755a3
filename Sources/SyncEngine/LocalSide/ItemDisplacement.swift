import Glibc
import SyncCore
import SystemPackage

/// Conflicts: something else takes the name of an item, and the item gets a new name beside it.
///
/// If the file system can exchange names, the name exists at every moment. The newcomer waits in a slot of the store. A
/// note, made durable first, says where the item belongs that the exchange moves into the slot. So after a power
/// failure the slot holds either the newcomer, which is removed, or the item, which is placed beside its old name.
struct ItemDisplacement: Sendable {
    let disk: DiskTree
    private var root: DiskRoot { disk.root }

    /// Gives the name of an item to something else and renames the item to `aside` in the same directory. Returns the
    /// versions of both.
    ///
    /// - Parameter permissions: The upper bound of the permissions of staged contents or a new item; nil to use those
    ///   of the displaced file, or of anything new.
    func displace(
        _ item: LocalItem, aside: EntryName, by newcomer: Newcomer, permissions: Permissions?
    ) throws(EffectFailure) -> (here: Placed, aside: Version) {
        let found = try disk.find(item)
        // The newcomer must not be more accessible than the item it displaces. A file's permissions are part of its
        // expected version. A directory is identified by its identity alone, so its permissions may have been
        // restricted meanwhile.
        if item.kind == .directory, let expected = item.expected.permissions {
            guard root.versions.version(of: found.status).permissions == expected else {
                throw root.changed(item.path)
            }
        }
        if item.kind == .file { try disk.writers.refuseWhileWritten(item.path, found.name, in: found.parent) }
        // Renaming something there and back would change its change time, although nothing was done.
        guard (try? found.parent.status(of: aside)) == nil else {
            throw disk.placement.occupied(item.path.parent.appending(aside), aside, in: found.parent)
        }
        try disk.barrier.noteChange(in: found.parent, at: item.path)
        let here: FileStatus
        var remark: Explanation?
        switch newcomer {
        case .staged(let id):
            guard let file = disk.staging.file(id) else {
                throw EffectFailure(.notFound, .contentsGone, .local, item.path)
            }
            if item.kind == .file {
                (here, remark) = try disk.permissions.carryOver(
                    to: file, from: found.name, in: found.parent, nil, at: item.path, expecting: item.expected,
                    permissions: permissions)
            } else {
                here = try disk.permissions.grant(permissions, to: file, at: item.path, in: found.parent)
            }
            try displace(found, at: item.path, aside, by: file)
            disk.staging.forget(id)
        case .directory:
            let made = try makeStagedDirectory(for: item.path, in: found.parent, permissions)
            do throws(EffectFailure) {
                try displace(found, at: item.path, aside, by: made.file)
            } catch {
                try? made.staging.removeDirectory(made.name)
                throw error
            }
            here = made.file.status
        case .item(let other):
            let newcomer = try disk.find(other)
            try disk.barrier.noteChange(in: newcomer.parent, at: other.path)
            here = try displace(found, at: item.path, aside, by: newcomer)
        }
        return (
            Placed(disk.placement.placed(here, found.name, in: found.parent), remark: remark),
            disk.placement.placed(found.status, aside, in: found.parent)
        )
    }

    private func makeStagedDirectory(
        for path: RelativePath, in parent: DirectoryHandle, _ permissions: Permissions?
    ) throws(EffectFailure) -> (file: StagedFile, staging: DirectoryHandle, name: EntryName) {
        try root.attempt(path) { _ throws(Errno) in
            let staging = try root.workspace(of: parent, at: path.parent).area().staging()
            let name = RandomName.component(prefix: root.session)
            try staging.makeDirectory(name, permissions: permissions.map { UInt32($0.bits) } ?? 0o777)
            return (StagedFile(name, in: staging, status: try staging.status(of: name)), staging, name)
        }
    }

    /// Displaces an item by something staged.
    private func displace(
        _ item: FoundItem, at path: RelativePath, _ aside: EntryName, by file: StagedFile
    ) throws(EffectFailure) {
        let note = KeptNote(path, .replaced, placeholder: file.status.inode, beside: aside)
        let (store, slot) = try disk.keeper.announce(note, in: item.parent)
        disk.barrier.note { file.noteGiving(&$0) }
        do throws(EffectFailure) {
            try root.attempt(path) { _ throws(Errno) in
                try store.makeDurable(slot)
                try file.give(slot, in: store.directory)
            }
            try bringIn(slot, of: store.directory, for: item, at: path, aside)
            try? store.discard(slot)
        } catch {
            disk.replacement.takeBack(file, from: slot, of: store)
            throw error
        }
    }

    /// Gives the name to the newcomer in the slot, then moves the item out of the slot to its new name.
    private func bringIn(
        _ slot: EntryName, of store: DirectoryHandle, for item: FoundItem, at path: RelativePath, _ aside: EntryName
    ) throws(EffectFailure) {
        let (parent, name) = (item.parent, item.name)
        do throws(Errno) {
            try parent.exchange(name, with: slot, in: store)
        } catch let error where error.isUnsupported {
            return try inTwoSteps(item, at: path, aside) { () throws(Errno) in
                try store.renameWithoutReplacing(slot, to: name, in: parent)
            }
        } catch {
            throw EffectFailure(error, path, on: .local)
        }
        do throws(EffectFailure) {
            guard let old = try? store.status(of: slot), old.isSameItem(as: item.status) else {
                throw root.changed(path)
            }
            try root.attempt(path.parent.appending(aside)) { _ throws(Errno) in
                try store.renameWithoutReplacing(slot, to: aside, in: parent)
            }
        } catch {
            try root.attempt(path) { _ throws(Errno) in try parent.exchange(name, with: slot, in: store) }
            throw error
        }
    }

    /// Displaces an item by one from elsewhere: both exchange their names, then the displaced item leaves the
    /// newcomer's old name.
    private func displace(
        _ item: FoundItem, at path: RelativePath, _ aside: EntryName, by newcomer: FoundItem
    ) throws(EffectFailure) -> FileStatus {
        let pair = ItemPair(replaced: item, item: newcomer)
        do throws(Errno) {
            try pair.exchange()
        } catch let error where error.isUnsupported {
            try inTwoSteps(item, at: path, aside) { () throws(Errno) in
                try newcomer.parent.renameWithoutReplacing(newcomer.name, to: item.name, in: item.parent)
            }
            return newcomer.status
        } catch {
            throw EffectFailure(error, path, on: .local)
        }
        do throws(EffectFailure) {
            let (here, old) = try root.attempt(path) { _ throws(Errno) in try pair.looks() }
            guard here.isSameItem(as: newcomer.status), old.isSameItem(as: item.status) else {
                throw root.changed(path)
            }
            try root.attempt(path.parent.appending(aside)) { _ throws(Errno) in
                try newcomer.parent.renameWithoutReplacing(newcomer.name, to: aside, in: item.parent)
            }
            return here
        } catch {
            pair.takeBack()
            throw error
        }
    }

    /// For file systems that cannot exchange names, and for an item inside the one that it displaces: the name is
    /// unused for a moment.
    private func inTwoSteps(
        _ item: FoundItem, at path: RelativePath, _ aside: EntryName, _ bringIn: () throws(Errno) -> Void
    ) throws(EffectFailure) {
        let parent = item.parent
        try root.attempt(path.parent.appending(aside)) { _ throws(Errno) in
            try parent.renameWithoutReplacing(item.name, to: aside, in: parent)
        }
        do throws(EffectFailure) {
            guard let old = try? parent.status(of: aside), old.isSameItem(as: item.status) else {
                throw root.changed(path)
            }
            try root.attempt(path) { _ throws(Errno) in try bringIn() }
        } catch {
            try? parent.renameWithoutReplacing(aside, to: item.name, in: parent)
            throw error
        }
    }
}
