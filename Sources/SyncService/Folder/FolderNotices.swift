internal import Remotes
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// What needs the user's attention in one folder, in the form that the badge service needs (D12).
struct FolderNotices {
    private let items: FolderItems
    private let conflicts: FolderConflicts
    private let engine: SyncFolder
    private let explainer: Explainer
    /// The label of the folder.
    private let label: String
    /// The current notice about items that could not be synced.
    private var trouble: FolderNotice?

    init(_ items: FolderItems, conflicts: FolderConflicts, engine: SyncFolder, explainer: Explainer, label: String) {
        self.items = items
        self.conflicts = conflicts
        self.engine = engine
        self.explainer = explainer
        self.label = label
    }

    /// The current notices.
    mutating func current() -> [FolderNotice] {
        updateTrouble()
        // A label, or the path in a message, may be longer than the badge service accepts.
        return (haltNotice.map { [$0] } ?? [trouble, conflictNotice].compactMap { $0 }).map(\.shortened)
    }

    /// Failed items are retried from time to time and do not count as errors meanwhile, although nothing is fixed yet.
    /// So the notice stays unchanged while the folder is working.
    private mutating func updateTrouble() {
        let isAtWork = engine.status.phase == .syncing || engine.status.phase == .looking
        if !isAtWork || trouble == nil { trouble = presentTrouble }
    }

    // MARK: Syncing has stopped

    private var haltNotice: FolderNotice? {
        let status = engine.status
        switch status.phase {
        case .confirmDeletes(let count, let side): return deletionNotice(count, side)
        case .stopped where status.stopReason == .remoteRestored:
            return FolderNotice(
                id: "remote-restored", title: Words.restoredTitle(label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [
                    .init(id: MenuAction.unite.id(), label: Words.keepBoth),
                    .init(id: MenuAction.acceptRemote.id(), label: Words.takeRemote),
                ])
        case .stopped where status.stopReason?.isStranger == true:
            return FolderNotice(
                id: status.stopReason?.rawValue ?? "stopped", title: Words.stoppedTitle(label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [
                    .init(id: MenuAction.unite.id(), label: Words.uniteRoots),
                    .init(id: MenuAction.sameRoot.id(), label: Words.sameRoot),
                ])
        case .stopped:
            return FolderNotice(
                id: status.stopReason?.rawValue ?? "stopped", title: Words.stoppedTitle(label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [.init(id: MenuAction.syncNow.id(), label: Words.tryAgain)])
        case .offline:
            switch RemoteAbsence(status.message) {
            case .login:
                return FolderNotice(
                    id: "login", title: Words.loginTitle(label), text: explainer.sentence(status.message),
                    actions: [.init(id: MenuAction.syncNow.id(), label: Words.tryAgain)])
            case .server:
                return FolderNotice(
                    id: "server", title: Words.stoppedTitle(label), text: explainer.sentence(status.message),
                    actions: [.init(id: MenuAction.syncNow.id(), label: Words.tryAgain)])
            case .passing, .trouble, .directory, .shortage: return nil
            }
        case .idle, .looking, .syncing, .paused: return nil
        }
    }

    private func deletionNotice(_ count: Int, _ side: Side) -> FolderNotice {
        FolderNotice(
            id: "confirm-deletes", title: Words.deletionsTitle(count, side),
            text: Words.deletionsText(count, label, side, before: engine.status.deletedBefore),
            count: UInt32(clamping: count), urgency: .critical,
            actions: [
                .init(
                    id: MenuAction.confirmDeletes.id(of: AskedDeletions(count, on: side)), label: Words.delete(count)),
                .init(id: MenuAction.restoreDeleted.id(), label: Words.restore(count)),
                .init(id: MenuAction.openFolder.id(), label: Words.openFolder),
            ])
    }

    // MARK: Some items are not synced

    /// The notice about the items that cannot be synced now.
    private var presentTrouble: FolderNotice? {
        let count = engine.status.counts.errors
        guard count > 0 else { return nil }
        let actions: [FolderNotice.Action] = [
            .init(id: MenuAction.syncNow.id(), label: Words.tryAgain),
            .init(id: NoticeAction.showErrors.rawValue, label: Words.show),
        ]
        // If a disk is full, one item after the other fails; this counts as a single problem.
        if let message = engine.shortageOfSpace {
            return FolderNotice(
                id: "no-space",
                title: message.code == .nearlyFull ? Words.nearlyFullTitle(label) : Words.noSpaceTitle(label),
                text: explainer.sentence(message),
                count: UInt32(clamping: count),
                urgency: .critical, actions: actions)
        }
        return FolderNotice(
            id: "errors", title: Words.errorsTitle(count, label), text: items.firstError ?? "",
            count: UInt32(clamping: count), actions: actions)
    }

    private var conflictNotice: FolderNotice? {
        guard engine.status.counts.conflicts > 0, let first = conflicts.first else { return nil }
        let count = engine.status.counts.conflictPairs
        var actions: [FolderNotice.Action] = [.init(id: NoticeAction.showConflicts.rawValue, label: Words.show)]
        if count == 1 {
            actions.append(.init(id: NoticeAction.keepBoth.id(of: first.node), label: Words.both))
        }
        return FolderNotice(
            id: "conflicts", title: Words.conflictsTitle(count, label),
            text: Words.conflictsText(count, first.name),
            count: UInt32(clamping: count), actions: actions)
    }
}
