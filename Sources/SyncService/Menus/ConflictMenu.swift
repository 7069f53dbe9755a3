internal import RoundelBus
internal import Support

/// The menu with the ways out of conflicts. It names the versions by what the user clicked. Pure.
struct ConflictMenu {
    /// The conflicts that the selected items are part of, each once.
    let conflicts: [SyncConflict]
    /// Whether the other versions are on a server, and not in a directory of this computer.
    let isServer: Bool
    /// Whether a program is installed that shows two files side by side.
    let compares: Bool
    /// In microseconds since 1970.
    let now: Int64

    /// The menu for a selection; nil if there is no conflict.
    func item(_ selection: [ItemURI]) -> MenuItem? {
        guard let first = conflicts.first else { return nil }
        var children: [MenuItem]
        if conflicts.count > 1 {
            children = [
                MenuItem(id: MenuAction.mine.id(), label: tr("Keep the Versions from This Computer")),
                MenuItem(
                    id: MenuAction.theirs.id(),
                    label: isServer
                        ? tr("Keep the Versions from the Server") : tr("Keep the Versions from the Remote Folder")),
                MenuItem(id: MenuAction.both.id(), label: tr("Keep Both Versions of Each")),
            ]
        } else {
            children = ways(outOf: first, selection) + [MenuItem(id: MenuAction.both.id(), label: tr("Keep Both"))]
            if compares && first.kind.known == .edits {
                children.append(MenuItem(id: MenuAction.compare.id(), label: tr("Compare…")))
            }
        }
        return MenuItem(
            id: "resolve", label: tr("Resolve Conflict"), icon: "emblem-roundel-conflict", children: children,
            rules: MenuRules(min: 1, badges: [.conflict], directories: false))
    }

    /// The items that keep one version: the clicked one first.
    private func ways(outOf conflict: SyncConflict, _ selection: [ItemURI]) -> [MenuItem] {
        let mine = details(
            tr("from this computer"), modified: conflict.copyModified, size: conflict.copySize)
        let theirs = details(
            isServer ? tr("from the server") : tr("from the remote folder"), by: author(of: conflict),
            modified: conflict.modified, size: conflict.size)
        let clicked = selection.count == 1 ? selection.first?.uri : nil
        switch clicked {
        case conflict.copyURI:
            return [
                MenuItem(id: MenuAction.mine.id(), label: tr("Keep This One ({1})", mine)),
                MenuItem(id: MenuAction.theirs.id(), label: tr("Keep the Other One ({1})", theirs)),
            ]
        case conflict.uri:
            return [
                MenuItem(id: MenuAction.theirs.id(), label: tr("Keep This One ({1})", theirs)),
                MenuItem(id: MenuAction.mine.id(), label: tr("Keep the Other One ({1})", mine)),
            ]
        // Both are selected.
        case _:
            return [
                MenuItem(id: MenuAction.mine.id(), label: tr("Keep the One {1}", mine)),
                MenuItem(id: MenuAction.theirs.id(), label: tr("Keep the One {1}", theirs)),
            ]
        }
    }

    private func author(of conflict: SyncConflict) -> String? {
        conflict.author.map { conflict.isOwnAuthor ? tr("by you") : tr("by {1}", DisplayText.escaped($0)) }
    }

    private func details(_ origin: String, by author: String? = nil, modified: Int64?, size: UInt64?) -> String {
        let parts = [origin, author, modified.map { TimeText.day($0, now: now) }, size.map(Quantity.bytes)]
        return TextList.of(parts.compactMap(\.self))
    }
}
