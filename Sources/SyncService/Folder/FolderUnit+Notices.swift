internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension FolderUnit {
    /// What of the folder needs the person, as the badge service gets it (D12).
    var notices: [FolderNotice] {
        // A label or the path in a message may be longer than the badge service takes.
        (haltNotice.map { [$0] } ?? [troubleNotice, conflictNotice].compactMap { $0 }).map(\.shortened)
    }

    // MARK: Nothing goes on

    private var haltNotice: FolderNotice? {
        let status = folder.status
        switch status.phase {
        case .confirmDeletes(let count, let side): return deletionNotice(count, side)
        case .stopped where status.stopReason == .remoteRestored:
            return FolderNotice(
                id: "remote-restored", title: Words.restoredTitle(settings.label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [
                    .init(id: MenuAction.unite.id(), label: Words.keepBoth),
                    .init(id: MenuAction.acceptRemote.id(), label: Words.takeRemote),
                ])
        case .stopped:
            return FolderNotice(
                id: status.stopReason?.rawValue ?? "stopped", title: Words.stoppedTitle(settings.label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [.init(id: MenuAction.syncNow.id(), label: Words.tryAgain)])
        case .idle, .looking, .syncing, .paused, .offline: return nil
        }
    }

    private func deletionNotice(_ count: Int, _ side: Side) -> FolderNotice {
        FolderNotice(
            id: "confirm-deletes", title: Words.deletionsTitle(count, side),
            text: Words.deletionsText(count, settings.label, side, before: folder.status.deletedBefore),
            count: UInt32(clamping: count), urgency: .critical,
            actions: [
                .init(id: MenuAction.confirmDeletes.id(), label: Words.delete(count)),
                .init(id: MenuAction.openFolder.id(), label: Words.openFolder),
            ])
    }

    // MARK: Some items do not

    /// What is to be said now of items that could not be synced.
    var presentTrouble: FolderNotice? {
        let count = folder.status.counts.errors
        guard count > 0 else { return nil }
        let actions: [FolderNotice.Action] = [
            .init(id: MenuAction.syncNow.id(), label: Words.tryAgain),
            .init(id: NoticeAction.showErrors.rawValue, label: Words.show),
        ]
        // A full disk fails one item after the other; that is one matter.
        if let message = folder.shortageOfSpace {
            return FolderNotice(
                id: "no-space", title: Words.noSpaceTitle(settings.label), text: explainer.sentence(message),
                count: UInt32(clamping: count),
                urgency: .critical, actions: actions)
        }
        return FolderNotice(
            id: "errors", title: Words.errorsTitle(count, settings.label), text: firstError() ?? "",
            count: UInt32(clamping: count), actions: actions)
    }

    private var conflictNotice: FolderNotice? {
        guard folder.status.counts.conflicts > 0, let first = firstConflict() else { return nil }
        let count = conflictCount
        var actions: [FolderNotice.Action] = [.init(id: NoticeAction.showConflicts.rawValue, label: Words.show)]
        if count == 1 {
            actions.append(.init(id: NoticeAction.keepBoth.rawValue + ":\(first.node.rawValue)", label: Words.both))
        }
        return FolderNotice(
            id: "conflicts", title: Words.conflictsTitle(count, settings.label),
            text: Words.conflictsText(count, first.name),
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
            return finished(.failure(.noAction(item)))
        }
        guard let unit = request.target.flatMap({ unit(holding: $0) }) else {
            return finished(.failure(.notSynced))
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
        // A directory shows a conflict that is in it, and cannot be decided itself.
        guard let node = Int64(item).map({ NodeID($0) }), unit.presentation(of: node)?.state == .conflict,
            (try? unit.folder.store.status(node)) != nil
        else {
            return finished(.failure(.alreadyResolved))
        }
        unit.folder.command(.resolve(node, .both))
        finished(.success(()))
    }
}
