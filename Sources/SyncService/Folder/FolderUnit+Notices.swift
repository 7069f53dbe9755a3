internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension FolderUnit {
    /// What of the folder needs the person, as the badge service gets it (D12).
    var notices: [FolderNotice] {
        // A label or the path in a message may be longer than the badge service takes.
        (haltNotice.map { [$0] } ?? [troubleNotice, conflictNotice].compactMap { $0 }).map(\.shortened)
    }

    private var name: String { "“\(settings.label)”" }

    // MARK: Nothing goes on

    private var haltNotice: FolderNotice? {
        let status = folder.status
        switch status.phase {
        case .confirmDeletes(let count, let side): return deletionNotice(count, side)
        case .stopped where status.stopReason == .remoteRestored:
            return FolderNotice(
                id: "remote-restored", title: "The remote of \(name) looks restored from a backup",
                text: status.message, urgency: .critical,
                actions: [
                    .init(id: MenuAction.unite.id(), label: "Keep Both Versions"),
                    .init(id: MenuAction.acceptRemote.id(), label: "Take the Remote's"),
                ])
        case .stopped:
            return FolderNotice(
                id: status.stopReason?.rawValue ?? "stopped", title: "\(name) is not synced any more",
                text: status.message, urgency: .critical,
                actions: [.init(id: MenuAction.syncNow.id(), label: "Try Again")])
        case .idle, .looking, .syncing, .paused, .offline: return nil
        }
    }

    private func deletionNotice(_ count: Int, _ side: Side) -> FolderNotice {
        let (gone, place) =
            side == .remote ? ("on this computer", "at the remote") : ("at the remote", "on this computer")
        let them = count == 1 ? "it" : "them"
        let before = folder.status.deletedBefore
        let after = before == 0 ? "" : ", after \(before) within the last hour"
        return FolderNotice(
            id: "confirm-deletes", title: "Delete \(items(count)) \(place)?",
            text:
                "\(items(count)) of \(name) \(count == 1 ? "is" : "are") gone \(gone)\(after). Nothing is synced before you "
                + "decide: delete \(them) \(place) as well, or bring \(them) back \(gone).",
            count: UInt32(clamping: count), urgency: .critical,
            actions: [
                .init(id: MenuAction.confirmDeletes.id(), label: "Delete \(items(count))"),
                .init(id: MenuAction.openFolder.id(), label: "Open Folder"),
            ])
    }

    // MARK: Some items do not

    /// What failed is tried again from time to time and is no error meanwhile; that does not mend it. So while
    /// something is going on, what was said last stands.
    private var troubleNotice: FolderNotice? {
        let isAtWork = folder.status.phase == .syncing || folder.status.phase == .looking
        if !isAtWork || trouble == nil { trouble = presentTrouble }
        return trouble
    }

    private var presentTrouble: FolderNotice? {
        let count = folder.status.counts.errors
        guard count > 0 else { return nil }
        let actions: [FolderNotice.Action] = [
            .init(id: MenuAction.syncNow.id(), label: "Try Again"),
            .init(id: NoticeAction.showErrors.rawValue, label: "Show"),
        ]
        // A full disk fails one item after the other; that is one matter.
        if let message = folder.shortageOfSpace {
            return FolderNotice(
                id: "no-space", title: "No space left for \(name)", text: message, count: UInt32(clamping: count),
                urgency: .critical, actions: actions)
        }
        return FolderNotice(
            id: "errors", title: "\(items(count)) in \(name) could not be synced", text: firstError() ?? "",
            count: UInt32(clamping: count), actions: actions)
    }

    private var conflictNotice: FolderNotice? {
        // Both versions are in conflict; a person counts the pair.
        let items = folder.status.counts.conflicts
        guard items > 0, let first = firstConflict() else { return nil }
        let count = max(1, (items + 1) / 2)
        let original = "“\(first.name)”"
        let rest = "changed here and at the remote. Both versions are kept until you decide."
        var actions: [FolderNotice.Action] = [.init(id: NoticeAction.showConflicts.rawValue, label: "Show")]
        if count == 1 {
            actions.append(.init(id: NoticeAction.keepBoth.rawValue + ":\(first.node.rawValue)", label: "Keep Both"))
        }
        return FolderNotice(
            id: "conflicts", title: count == 1 ? "A conflict in \(name)" : "\(count) conflicts in \(name)",
            text: original + (count == 1 ? " was " : " and others were ") + rest,
            count: UInt32(clamping: count), actions: actions)
    }

    // MARK: Which items

    private func firstConflict() -> (name: String, node: NodeID)? {
        guard let id = try? folder.store.nodes(inState: .conflict, after: .none, limit: 1).first,
            let node = try? folder.store.node(id, in: .local) ?? folder.store.node(id, in: .remote)
        else { return nil }
        return (String(decoding: node.name.bytes, as: UTF8.self), id)
    }

    /// The URIs of items in a state, some of them where there are many.
    func someItems(in state: ItemSyncState) -> [String] {
        let nodes = (try? folder.store.nodes(inState: state, after: .none, limit: Self.shownItems)) ?? []
        return nodes.compactMap { itemURI(of: $0)?.uri }
    }

    /// How many items a file manager is asked to select.
    private static let shownItems = 16
}

/// What the actions of notices do that no menu has, by their ids.
enum NoticeAction: String {
    case showConflicts = "show-conflicts"
    case showErrors = "show-errors"
    /// Followed by a colon and the number of one of the two items.
    case keepBoth = "keep-both"
}

extension Worker {
    /// Carries out an action of a notice.
    func activateNotice(_ item: String, _ request: MenuRequest, _ finished: @escaping Finish) {
        let parts = item.split(separator: ":", maxSplits: 1).map(String.init)
        guard let action = parts.first.flatMap({ NoticeAction(rawValue: $0) }) else {
            return finished(.failure(RoundelError(.unknownItem, "There is no action “\(item)”.")))
        }
        guard let unit = request.target.flatMap({ unit(holding: $0) }) else {
            return finished(.failure(RoundelError(.providerFailed, "The folder is not synced any more.")))
        }
        switch action {
        case .showConflicts: show(unit.someItems(in: .conflict), of: unit, request, finished)
        case .showErrors: show(unit.someItems(in: .error), of: unit, request, finished)
        case .keepBoth: keepBoth(parts.last ?? "", of: unit, finished)
        }
    }

    private func show(
        _ items: [String], of unit: FolderUnit, _ request: MenuRequest, _ finished: @escaping Finish
    ) {
        if items.isEmpty { return opener.open([unit.uri.uri], request.options, finished) }
        opener.show(items, request.options, finished)
    }

    private func keepBoth(_ item: String, of unit: FolderUnit, _ finished: @escaping Finish) {
        guard let node = Int64(item).map({ NodeID($0) }), unit.presentation(of: node)?.state == .conflict else {
            return finished(.failure(RoundelError(.providerFailed, "The conflict is decided already.")))
        }
        unit.folder.command(.resolve(node, .both))
        finished(.success(()))
    }
}
