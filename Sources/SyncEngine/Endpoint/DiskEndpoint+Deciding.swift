import Glibc
import SyncCore
import SystemPackage

/// What follows here from a decision on a conflict.
extension DiskEndpoint {
    func replace(_ replaced: LocalItem, with item: LocalItem) throws(EffectFailure) -> Version {
        let pair = Pair(replaced: try find(replaced), item: try find(item))
        let areFiles = item.kind == .file && replaced.kind == .file
        if !areFiles { _ = try trash(for: item.path) }
        do throws(Errno) {
            try pair.exchange()
        } catch let error where error.isUnsupported {
            if areFiles { return try replaceByRename(pair, at: replaced.path) }
            try discard(replaced)
            return try move(item.path, to: replaced.path, kind: item.kind, expecting: item.expected)
        } catch {
            throw EffectFailure(error, replaced.path, in: place)
        }
        do throws(EffectFailure) {
            let (here, old) = try attempt(replaced.path) { _ throws(Errno) in try pair.looks() }
            guard here.isSameItem(as: pair.item.status), old.isSameItem(as: pair.replaced.status) else {
                throw changed(replaced.path)
            }
            let (parent, name) = (pair.item.parent, pair.item.name)
            if areFiles {
                try take(name, from: parent, replaced.path, old, .replaced)
            } else {
                try discard(LocalItem(path: item.path, kind: replaced.kind, expected: versions.version(of: old)))
            }
            return versions.version(of: here)
        } catch {
            takeBack(pair)
            throw error
        }
    }

    func discard(_ item: LocalItem) throws(EffectFailure) {
        if item.kind == .file { return try remove(item.path, kind: .file, expecting: item.expected) }
        let found = try find(item)
        let trash = try trash(for: item.path)
        guard try take(into: trash, found.name, from: found.parent, item.path, found.status) else {
            throw noTrash(for: item.path)
        }
    }

    private func trash(for path: RelativePath) throws(EffectFailure) -> DesktopTrash {
        let trash = try attempt(path) { workspace throws(Errno) in workspace.trash }
        guard let trash else { throw noTrash(for: path) }
        return trash
    }

    private func noTrash(for path: RelativePath) -> EffectFailure {
        EffectFailure(.denied, "“\(path)” cannot be put into the trash, so it stays. Move it elsewhere yourself.")
    }

    /// An item where it was found.
    private struct Found {
        var parent: DirectoryHandle
        var name: EntryName
        var status: FileStatus
    }

    /// Two items that exchange their names.
    private struct Pair {
        /// The one whose name stays in use.
        var replaced: Found
        var item: Found

        /// Exchanges what the two names stand for, in one step.
        ///
        /// Watchers are told of it as of two renames: that the first name went and came, that the second came and
        /// went. So the name that stays is the first.
        func exchange() throws(Errno) {
            try replaced.parent.exchange(replaced.name, with: item.name, in: item.parent)
        }

        /// What stands at the replaced item's name and at the other one now.
        func looks() throws(Errno) -> (FileStatus, FileStatus) {
            (try replaced.parent.status(of: replaced.name), try item.parent.status(of: item.name))
        }
    }

    /// The item, if it is the expected one.
    private func find(_ item: LocalItem) throws(EffectFailure) -> Found {
        let (parent, name) = try attempt(item.path) { workspace throws(Errno) in
            try workspace.directory.parent(of: item.path)
        }
        let status = try attempt(item.path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(status, item.expected, kind: item.kind) else { throw changed(item.path) }
        return Found(parent: parent, name: name, status: status)
    }

    /// Both items get their names back, and every watcher ends up knowing that both are there.
    ///
    /// No exchange of two names can do that alone, as it is told of the second one last that it went. Watchers believe
    /// since the first exchange that the second one is gone; it is renamed and comes again. Should the machine stop in
    /// between, the next session knows what that other name means, and renames it back.
    private func takeBack(_ pair: Pair) {
        let (parent, name, aside) = (pair.item.parent, pair.item.name, IntermediateName.random())
        do throws(Errno) {
            try pair.exchange()
            try parent.renameWithoutReplacing(name, to: aside, in: parent)
            try parent.renameWithoutReplacing(aside, to: name, in: parent)
        } catch {
            // Whatever stands where now is seen by the next look.
        }
    }

    /// For file systems that cannot exchange: the old version gets a second name in the store, and the item is renamed
    /// over it.
    private func replaceByRename(_ pair: Pair, at path: RelativePath) throws(EffectFailure) -> Version {
        let (old, item) = (pair.replaced, pair.item)
        let slot = try keepBeforeRename(old.name, in: old.parent, at: path, old.status)
        do throws(Errno) {
            try item.parent.rename(item.name, to: old.name, in: old.parent)
        } catch {
            try? workspace().replaced().discard(slot)
            throw EffectFailure(error, path, in: place)
        }
        return placed(item.status, old.name, in: old.parent)
    }
}
