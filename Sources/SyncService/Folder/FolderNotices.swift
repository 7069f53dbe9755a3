internal import Remotes
internal import RoundelBus
internal import Support
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
                id: "remote-restored", title: tr("The remote of “{1}” looks restored from a backup", label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [
                    .init(id: MenuAction.unite.id(), label: tr("Keep Both Versions")),
                    .init(id: MenuAction.acceptRemote.id(), label: tr("Take the Remote's Versions")),
                ])
        case .stopped where status.stopReason?.isStranger == true:
            return FolderNotice(
                id: status.stopReason?.rawValue ?? "stopped", title: tr("“{1}” is no longer synced", label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [
                    .init(id: MenuAction.unite.id(), label: tr("Unite Both Sides, Delete Nothing")),
                    .init(id: MenuAction.sameRoot.id(), label: tr("Go On: It Is the Same")),
                ])
        case .stopped:
            return FolderNotice(
                id: status.stopReason?.rawValue ?? "stopped", title: tr("“{1}” is no longer synced", label),
                text: explainer.sentence(status.message), urgency: .critical,
                actions: [.init(id: MenuAction.syncNow.id(), label: tr("Try Again"))])
        case .offline:
            switch RemoteAbsence(status.message) {
            case .login:
                return FolderNotice(
                    id: "login", title: tr("“{1}” needs your login", label), text: explainer.sentence(status.message),
                    actions: [.init(id: MenuAction.syncNow.id(), label: tr("Try Again"))])
            case .server:
                return FolderNotice(
                    id: "server", title: tr("“{1}” is no longer synced", label),
                    text: explainer.sentence(status.message),
                    actions: [.init(id: MenuAction.syncNow.id(), label: tr("Try Again"))])
            case .passing, .trouble, .directory, .shortage: return nil
            }
        case .idle, .looking, .syncing, .paused: return nil
        }
    }

    private func deletionNotice(_ count: Int, _ side: Side) -> FolderNotice {
        FolderNotice(
            id: "confirm-deletes", title: Self.deletionsTitle(count, side),
            text: Self.deletionsText(count, label, side, before: engine.status.deletedBefore),
            count: UInt32(clamping: count), urgency: .critical,
            actions: [
                .init(
                    id: MenuAction.confirmDeletes.id(of: AskedDeletions(count, on: side)),
                    label: tr(count, one: "Delete 1 Item", other: "Delete {1} Items")),
                .init(
                    id: MenuAction.restoreDeleted.id(),
                    label: tr(count, one: "Restore 1 Item", other: "Restore {1} Items")),
                .init(id: MenuAction.openFolder.id(), label: tr("Open Folder")),
            ])
    }

    // MARK: Some items are not synced

    /// The notice about the items that cannot be synced now.
    private var presentTrouble: FolderNotice? {
        let count = engine.status.counts.errors
        guard count > 0 else { return nil }
        let actions: [FolderNotice.Action] = [
            .init(id: MenuAction.syncNow.id(), label: tr("Try Again")),
            .init(id: NoticeAction.showErrors.rawValue, label: tr("Show")),
        ]
        // If a disk is full, one item after the other fails; this counts as a single problem.
        if let message = engine.shortageOfSpace {
            return FolderNotice(
                id: "no-space",
                title: message.code == .nearlyFull
                    ? tr("“{1}” waits: the disk is nearly full", label) : tr("No space left for “{1}”", label),
                text: explainer.sentence(message),
                count: UInt32(clamping: count),
                urgency: .critical, actions: actions)
        }
        return FolderNotice(
            id: "errors", title: Self.errorsTitle(count, label), text: items.firstError ?? "",
            count: UInt32(clamping: count), actions: actions)
    }

    private var conflictNotice: FolderNotice? {
        guard engine.status.counts.conflicts > 0, let first = conflicts.first else { return nil }
        let count = engine.status.counts.conflictPairs
        var actions: [FolderNotice.Action] = [.init(id: NoticeAction.showConflicts.rawValue, label: tr("Show"))]
        if count == 1 {
            actions.append(.init(id: NoticeAction.keepBoth.id(of: first.node), label: tr("Keep Both")))
        }
        return FolderNotice(
            id: "conflicts",
            title: tr(count, one: "Sync conflict in “{2}”", other: "{1} sync conflicts in “{2}”", label),
            text: Self.conflictsText(count, first.name),
            count: UInt32(clamping: count), actions: actions)
    }

    static func errorsTitle(_ count: Int, _ folder: String) -> String {
        tr(count, one: "1 item in “{2}” could not be synced", other: "{1} items in “{2}” could not be synced", folder)
    }

    private static func deletionsTitle(_ count: Int, _ side: Side) -> String {
        side == .local
            ? tr(count, one: "Delete 1 item on this computer?", other: "Delete {1} items on this computer?")
            : tr(count, one: "Delete 1 item on the remote?", other: "Delete {1} items on the remote?")
    }

    static func conflictsText(_ count: Int, _ name: String) -> String {
        tr(
            count,
            one:
                """
                “{2}” was changed on this computer and on the remote. Both versions are kept until you choose one.
                """,
            other:
                """
                “{2}” and others were changed on this computer and on the remote. Both versions are kept until you \
                choose one.
                """, name)
    }

    /// - Parameters:
    ///   - side: The side on which items will be deleted.
    ///   - before: The deletions within the last hour, which count too.
    private static func deletionsText(_ count: Int, _ folder: String, _ side: Side, before: Int) -> String {
        switch (side, before > 0) {
        case (.local, false):
            tr(
                count,
                one:
                    """
                    1 item of “{2}” was deleted on the remote. Nothing is synced before you choose: delete it on \
                    this computer as well, or restore it on the remote.
                    """,
                other:
                    """
                    {1} items of “{2}” were deleted on the remote. Nothing is synced before you choose: delete them \
                    on this computer as well, or restore them on the remote.
                    """, folder)
        case (.remote, false):
            tr(
                count,
                one:
                    """
                    1 item of “{2}” was deleted on this computer. Nothing is synced before you choose: delete it on \
                    the remote as well, or restore it on this computer.
                    """,
                other:
                    """
                    {1} items of “{2}” were deleted on this computer. Nothing is synced before you choose: delete \
                    them on the remote as well, or restore them on this computer.
                    """, folder)
        case (.local, true):
            tr(
                count,
                one:
                    """
                    1 more item of “{2}” was deleted on the remote, after {3} within the last hour. Nothing is \
                    synced before you choose: delete it on this computer as well, or restore it on the remote.
                    """,
                other:
                    """
                    {1} more items of “{2}” were deleted on the remote, after {3} within the last hour. Nothing is \
                    synced before you choose: delete them on this computer as well, or restore them on the remote.
                    """, folder, "\(before)")
        case (.remote, true):
            tr(
                count,
                one:
                    """
                    1 more item of “{2}” was deleted on this computer, after {3} within the last hour. Nothing is \
                    synced before you choose: delete it on the remote as well, or restore it on this computer.
                    """,
                other:
                    """
                    {1} more items of “{2}” were deleted on this computer, after {3} within the last hour. Nothing \
                    is synced before you choose: delete them on the remote as well, or restore them on this \
                    computer.
                    """, folder, "\(before)")
        }
    }
}
