import Glibc
import SyncCore
import SystemPackage

/// Conflicts: something else gets the name of an item, which stands beside it from then on.
///
/// Where the file system can exchange, the name is there at every moment. The newcomer waits in a slot of the store,
/// whose note says where the item belongs that the exchange brings there; the note is durable before. So after a stop
/// of the machine the slot holds either the newcomer, which is removed, or the item, which is set beside its place.
extension DiskEndpoint {
    func displace(
        _ item: LocalItem, aside: EntryName, by newcomer: Newcomer, permissions: Permissions?
    ) throws(EffectFailure) -> (here: Placed, aside: Version) {
        let found = try find(item)
        // What comes here opens no more than what gives way. A file's permissions are part of what is expected; a
        // directory is known by its identity alone, so it may have been closed to others meanwhile.
        if item.kind == .directory, let expected = item.expected.permissions {
            guard versions.version(of: found.status).permissions == expected else { throw changed(item.path) }
        }
        if item.kind == .file { try refuseWhileWritten(item.path, found.name, in: found.parent) }
        // What is renamed there and back has another time of its last change, although nothing was done.
        guard (try? found.parent.status(of: aside)) == nil else {
            throw occupied(item.path.parent.appending(aside), aside, in: found.parent)
        }
        try noteChange(in: found.parent, at: item.path)
        let here: FileStatus
        var remark: Explanation?
        switch newcomer {
        case .staged(let id):
            guard let file = stagedFile(id) else {
                throw EffectFailure(.notFound, .contentsGone, side, item.path)
            }
            if item.kind == .file {
                (here, remark) = try carryOver(
                    to: file, from: found.name, in: found.parent, nil, at: item.path, expecting: item.expected,
                    permissions: permissions)
            } else {
                here = try grant(permissions, to: file, at: item.path)
            }
            try displace(found, at: item.path, aside, by: file)
            forget(id)
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
            let newcomer = try find(other)
            try noteChange(in: newcomer.parent, at: other.path)
            here = try displace(found, at: item.path, aside, by: newcomer)
        }
        return (
            Placed(placed(here, found.name, in: found.parent), remark: remark),
            placed(found.status, aside, in: found.parent)
        )
    }

    private func makeStagedDirectory(
        for path: RelativePath, in parent: DirectoryHandle, _ permissions: Permissions?
    ) throws(EffectFailure) -> (file: StagedFile, staging: DirectoryHandle, name: EntryName) {
        try attempt(path) { _ throws(Errno) in
            let staging = try workspace(of: parent, at: path.parent).area().staging()
            let name = RandomName.component(prefix: session)
            try staging.makeDirectory(name, permissions: permissions.map { UInt32($0.bits) } ?? 0o777)
            return (StagedFile(name, in: staging, status: try staging.status(of: name)), staging, name)
        }
    }

    /// By something staged.
    private func displace(
        _ item: FoundItem, at path: RelativePath, _ aside: EntryName, by file: StagedFile
    ) throws(EffectFailure) {
        let note = KeptNote(
            path, .replaced, date: Self.seconds(), placeholder: file.status.inode, beside: aside)
        let (store, slot) = try announce(note, in: item.parent)
        withUnsynced { file.noteGiving(&$0) }
        do throws(EffectFailure) {
            try attempt(path) { _ throws(Errno) in
                try store.makeDurable(slot)
                try file.give(slot, in: store.directory)
            }
            try bringIn(slot, of: store.directory, for: item, at: path, aside)
            try? store.discard(slot)
        } catch {
            takeBack(file, from: slot, of: store)
            throw error
        }
    }

    /// The newcomer in the slot takes the name, the item comes out of the slot beside it.
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
            throw EffectFailure(error, path, on: side)
        }
        do throws(EffectFailure) {
            guard let old = try? store.status(of: slot), old.isSameItem(as: item.status) else { throw changed(path) }
            try attempt(path.parent.appending(aside)) { _ throws(Errno) in
                try store.renameWithoutReplacing(slot, to: aside, in: parent)
            }
        } catch {
            try attempt(path) { _ throws(Errno) in try parent.exchange(name, with: slot, in: store) }
            throw error
        }
    }

    /// By an item that stands elsewhere: both exchange their names, then the one that gives way leaves the other's.
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
            throw EffectFailure(error, path, on: side)
        }
        do throws(EffectFailure) {
            let (here, old) = try attempt(path) { _ throws(Errno) in try pair.looks() }
            guard here.isSameItem(as: newcomer.status), old.isSameItem(as: item.status) else { throw changed(path) }
            try attempt(path.parent.appending(aside)) { _ throws(Errno) in
                try newcomer.parent.renameWithoutReplacing(newcomer.name, to: aside, in: item.parent)
            }
            return here
        } catch {
            takeBack(pair)
            throw error
        }
    }

    /// For file systems that cannot exchange, and for an item within the one that gives way: the name is free for a
    /// moment.
    private func inTwoSteps(
        _ item: FoundItem, at path: RelativePath, _ aside: EntryName, _ bringIn: () throws(Errno) -> Void
    ) throws(EffectFailure) {
        let parent = item.parent
        try attempt(path.parent.appending(aside)) { _ throws(Errno) in
            try parent.renameWithoutReplacing(item.name, to: aside, in: parent)
        }
        do throws(EffectFailure) {
            guard let old = try? parent.status(of: aside), old.isSameItem(as: item.status) else { throw changed(path) }
            try attempt(path) { _ throws(Errno) in try bringIn() }
        } catch {
            try? parent.renameWithoutReplacing(aside, to: item.name, in: parent)
            throw error
        }
    }
}
