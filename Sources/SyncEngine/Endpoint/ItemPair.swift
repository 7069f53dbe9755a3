import SyncCore
import SystemPackage

/// An item where it was found.
struct FoundItem {
    var parent: DirectoryHandle
    var name: EntryName
    var status: FileStatus
}

/// Two items that exchange their names.
struct ItemPair {
    /// The one whose name stays in use.
    var replaced: FoundItem
    var item: FoundItem

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

extension DiskEndpoint {
    /// The item, if it is the expected one.
    func find(_ item: LocalItem) throws(EffectFailure) -> FoundItem {
        let (parent, name) = try attempt(item.path) { workspace throws(Errno) in
            try workspace.directory.parent(of: item.path)
        }
        let status = try attempt(item.path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(status, item.expected, kind: item.kind) else { throw changed(item.path) }
        return FoundItem(parent: parent, name: name, status: status)
    }

    /// Both items get their names back, and every watcher ends up knowing that both are there.
    ///
    /// No exchange of two names can do that alone, as it is told of the second one last that it went. Watchers believe
    /// since the first exchange that the second one is gone; it is renamed and comes again. Should the machine stop in
    /// between, the next session knows what that other name means, and renames it back.
    func takeBack(_ pair: ItemPair) {
        let (parent, name, aside) = (pair.item.parent, pair.item.name, IntermediateName.random())
        do throws(Errno) {
            try pair.exchange()
            try parent.renameWithoutReplacing(name, to: aside, in: parent)
            try parent.renameWithoutReplacing(aside, to: name, in: parent)
        } catch {
            // Whatever stands where now is seen by the next look.
        }
    }
}
