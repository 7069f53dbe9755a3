internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// Tells the worker what happens in one folder, not too often, and answers what there is to say of the whole folder.
final class FolderReporter {
    private let choices: FolderChoices
    private let items: FolderItems
    private let badges: FolderBadges
    private let engine: SyncFolder
    private let explainer: Explainer
    private let rescans: FolderRescans
    private let network: FolderNetwork?
    private let contents: FolderContents?
    private let surroundings: FolderSurroundings
    /// When the folder was last synced completely, in microseconds since 1970.
    private(set) var lastSynced: Int64?
    private var transfers: FolderTransfers
    private var rate = TransferRate()
    private var progress = ToldProgress()
    private var standingNotices: FolderNotices
    /// The notices about copies out of the folder and into it, by the numbers of these.
    private var copyNotices: [Int: FolderNotice] = [:]
    // The loop keeps timers that are set, also those of a folder that was removed.
    private lazy var statusTimer = surroundings.loop.makeTimer { [weak self] in self?.sendStatus() }
    private var statusSentAt = Instant(nanoseconds: 0)

    /// How many copies are told of at a time, the latest ones: a folder may have few notices.
    private static let mostCopies = 6

    init(
        _ choices: FolderChoices, _ items: FolderItems, badges: FolderBadges, conflicts: FolderConflicts,
        engine: SyncFolder, explainer: Explainer, rescans: FolderRescans, network: FolderNetwork?,
        contents: FolderContents?, _ surroundings: FolderSurroundings
    ) {
        (self.choices, self.items, self.badges, self.engine) = (choices, items, badges, engine)
        (self.explainer, self.rescans, self.network) = (explainer, rescans, network)
        (self.contents, self.surroundings) = (contents, surroundings)
        transfers = FolderTransfers(items, engine: engine)
        standingNotices = FolderNotices(
            items, conflicts: conflicts, engine: engine, explainer: explainer, label: choices.settings.label)
    }

    // MARK: The folder now

    /// The folder for ListFolders.
    ///
    /// - Parameter remoteURI: The URI of its remote; nil for one without.
    func summary(remoteURI: String?) -> SyncedFolder {
        SyncedFolder(choices.settings, state: view.shownState, remoteURI: remoteURI)
    }

    /// The state in which the last run left the items of the folder.
    var stateOfItems: ItemSyncState { view.stateOfItems }

    /// The state of the folder for Status and StatusChanged.
    func report(transfers limit: Int = 16) -> SyncFolderStatus { view.status(transfers: transfers.list(limit: limit)) }

    /// What the user must do before syncing can continue.
    var needs: FolderNeed? { view.needs }

    /// The newest entries of its log.
    func activities(limit: Int) -> [SyncActivity] {
        ((try? engine.store.activities(limit: limit)) ?? []).map(activity)
    }

    /// The newest entries of its log about an item, or anything in it; the newest first.
    func activities(of item: ItemURI, limit: Int) -> [SyncActivity] {
        guard let path = RelativePath(item, below: items.folder) else { return [] }
        return ((try? engine.store.activities(of: path, limit: limit)) ?? []).map(activity)
    }

    private func activity(_ record: ActivityRecord) -> SyncActivity {
        SyncActivity(record, of: choices.settings.id, at: items.folder, explainer: explainer)
    }

    private var view: FolderReport {
        FolderReport(
            settings: choices.settings, items: items, engine: engine, explainer: explainer, rescans: rescans,
            lastSynced: lastSynced, rate: rate.rate(at: .now), isHeldByMeter: network?.isWaiting ?? false,
            troubleOfMount: contents.flatMap { $0.mount.isThere ? nil : $0.mount.trouble })
    }

    // MARK: What happens

    func changed(_ states: [StateChange]) {
        transfers.follow(states)
        if let root = items.presentation(of: .root) { rate.note(done: UInt64(clamping: root.bytesDone), at: .now) }
        surroundings.onBadges(badges.updates(for: states))
        // While the bytes of one file move, no state does.
        if progress.follow(states) { statusChanged() }
    }

    func did(_ activities: [ActivityRecord]) { surroundings.onActivities(activities.map(activity)) }

    /// Adds entries to its log.
    func note(_ activities: [Activity]) {
        guard !activities.isEmpty,
            let records = try? engine.store.append(activities, date: WallClock.microseconds / 1_000_000)
        else { return }
        did(records)
    }

    /// Tells how far a copy is, or how it ended; nil ends that.
    func tell(_ notice: FolderNotice?, ofCopy number: Int) {
        guard copyNotices[number] != notice else { return }
        copyNotices[number] = notice
        publishStatus()
    }

    /// The status changed; that is told soon.
    func statusChanged() {
        guard !statusTimer.isSet else { return }
        let next = statusSentAt + Patience.Worker.status
        if Instant.now >= next { sendStatus() } else { statusTimer.set(at: next) }
    }

    /// A run has ended, and with it a scan of the folder.
    func runEnded() {
        if engine.status.state <= .synced && !engine.status.isPartlyUnknown { lastSynced = WallClock.microseconds }
        switch engine.status.phase {
        case .idle, .looking, .syncing, .paused, .confirmDeletes: surroundings.onBadges(badges.becomeKnown())
        case .stopped, .offline: break
        }
        publishRoot()
    }

    /// Ends what was to be told later.
    func stop() { statusTimer.cancel() }

    /// Tells the status now, and updates the badge of the folder itself.
    func publish() {
        publishStatus()
        publishRoot()
    }

    /// Tells the status now.
    func publishStatus() {
        let hubStatus = view.hubStatus
        // A notice has the form that the badge service needs (D12).
        let contentsNotices = (contents?.notices.current ?? []).map(\.shortened)
        let copies = copyNotices.sorted { $0.key < $1.key }.suffix(Self.mostCopies).map(\.value)
        let notices = standingNotices.current() + contentsNotices + copies
        surroundings.onStatus(
            FolderNews(uri: items.folder, hubStatus: hubStatus, notices: notices, report: report()))
    }

    /// The badge of the folder itself depends on more than its contents.
    private func publishRoot() {
        if let update = badges.rootUpdate() { surroundings.onBadges([update]) }
    }

    private func sendStatus() {
        statusSentAt = .now
        publish()
    }
}
