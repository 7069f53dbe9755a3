internal import RoundelBus
internal import Support
internal import SyncCore

/// The menu items about where the contents of some items of folders on demand are. Pure.
struct ContentsMenu {
    private let contents: [ItemContents]

    init(_ contents: [ItemContents]) { self.contents = contents }

    private func sum(_ part: (ItemContents) -> Int64) -> UInt64 {
        UInt64(clamping: contents.reduce(Int64(0)) { $0.addingReportingOverflow(part($1)).partialValue })
    }

    /// The items; none if no item can be without its contents.
    ///
    /// - Parameter isPinnedAbove: Whether an item is kept here because of a directory that it is in, which only that
    ///   directory's menu ends.
    func items(_ scope: MenuAction.Scope, isPinnedAbove: Bool) -> [MenuItem] {
        guard !contents.isEmpty else { return [] }
        var items: [MenuItem] = []
        if contents.contains(where: { $0.filesAway > 0 }) {
            let label =
                contents.count == 1 ? tr("Download") : tr("Download ({1})", Quantity.bytes(sum(\.bytesAway)))
            items.append(MenuItem(id: MenuAction.download.id(scope), label: label, icon: "folder-download"))
        }
        let free = contents.filter { !$0.isPinned && $0.filesHere > 0 }
        if !free.isEmpty {
            let bytes = ContentsMenu(free).sum(\.bytesHere)
            items.append(
                MenuItem(
                    id: MenuAction.freeUp.id(scope), label: tr("Free Up Space ({1})", Quantity.bytes(bytes)),
                    icon: "edit-clear"))
        }
        let isPinned = contents.allSatisfy(\.isPinned)
        items.append(
            MenuItem(
                id: (isPinned ? MenuAction.unpin : MenuAction.pin).id(scope),
                label: tr("Always Keep on This Computer"), enabled: !(isPinned && isPinnedAbove), checked: isPinned))
        return items
    }
}
