import SyncCore
import SystemPackage

/// Two items that exchange their names.
struct ItemPair {
    /// The one whose name stays in use.
    var replaced: FoundItem
    var item: FoundItem

    /// Exchanges the two names in one step.
    ///
    /// Watchers report an exchange as two renames: the first name vanishes and reappears, the second one appears and
    /// vanishes. So the name that stays in use comes first.
    func exchange() throws(Errno) {
        try replaced.parent.exchange(replaced.name, with: item.name, in: item.parent)
    }

    /// The items that are now at the replaced item's name and at the other name.
    func looks() throws(Errno) -> (FileStatus, FileStatus) {
        (try replaced.parent.status(of: replaced.name), try item.parent.status(of: item.name))
    }

    /// Gives both items their names back, so that every watcher ends up knowing that both exist.
    ///
    /// Exchanging the names again is not enough, because its last report is that the second name vanished. Watchers
    /// have believed so since the first exchange, so the second item is renamed and renamed back. If the power fails in
    /// between, the next session recognises the temporary name and renames the item back.
    func takeBack() {
        let (parent, name, aside) = (item.parent, item.name, IntermediateName.random())
        do throws(Errno) {
            try exchange()
            try parent.renameWithoutReplacing(name, to: aside, in: parent)
            try parent.renameWithoutReplacing(aside, to: name, in: parent)
        } catch {
            // The next look sees what is where.
        }
    }
}

extension DiskTree {
    /// The item, if it is the expected one.
    func find(_ item: LocalItem) throws(EffectFailure) -> FoundItem {
        try root.find(item.path, item.kind, expecting: item.expected)
    }
}
