internal import RoundelBus
internal import Support

/// What is said of a whole folder, in the tray and by commands.
struct FolderReport {
    let model: FolderModel
    /// The names of the devices.
    let names: [PeerID: String]
    /// The devices that are connected.
    let connected: Set<PeerID>
    /// Why Syncthing cannot be asked, a sentence; nil while it answers.
    let absence: String?
    /// The bytes that arrive in a second; nil while none do.
    var rate: UInt64?

    private var settings: FolderSettings { model.settings }
    private var isAlone: Bool { connected.isDisjoint(with: settings.devices) }
    private var waiting: UInt64 { model.missingItems + model.unsentItems }

    /// The name of the folder.
    var label: String { settings.label.isEmpty ? settings.root.displayName : settings.label }

    /// The worst state in the folder, a common badge. Where it is not known, the folder waits.
    var state: Badge {
        guard absence == nil else { return .pending }
        if settings.isPaused { return .paused }
        if case .stopped = model.activity { return .error }
        if !model.failures.isEmpty { return .error }
        if !model.conflicts.isEmpty { return .conflict }
        guard model.isKnown, !settings.devices.isEmpty else { return .pending }
        if model.activity == .syncing { return .syncing }
        return waiting > 0 || model.activity == .scanning ? .pending : .synced
    }

    /// The state for the tray, the menus and the sidebar.
    var hubStatus: FolderStatus {
        FolderStatus(state: hubState, text: text, progress: hubState == .syncing ? progress : Progress.none)
    }

    private var hubState: FolderState {
        guard absence == nil else { return .unknown }
        switch CommonBadge(state) {
        case .paused: return .paused
        case .error: return .error
        case .conflict: return .attention
        case .syncing: return .syncing
        case .pending where !model.isKnown || settings.devices.isEmpty: return .unknown
        case .pending: return isAlone ? .paused : .syncing
        case .synced: return differences == nil ? .idle : .attention
        case .excluded, .onlineOnly, nil: return .unknown
        }
    }

    /// A sentence without a full stop.
    var text: String {
        if let absence { return absence }
        if settings.isPaused { return tr("Paused") }
        if case .stopped(let reason) = model.activity { return Self.stopped(reason) }
        if settings.devices.isEmpty { return tr("Shared with no other device") }
        if !model.failures.isEmpty {
            return tr(model.failures.count, one: "1 item could not be synced", other: "{1} items could not be synced")
        }
        if !model.conflicts.isEmpty { return tr(model.conflicts.count, one: "1 conflict", other: "{1} conflicts") }
        guard model.isKnown else { return tr("Looking for changes") }
        switch model.activity {
        case .syncing: return tr(max(1, model.missingItems), one: "Syncing 1 item", other: "Syncing {1} items")
        case .scanning: return tr("Looking for changes")
        case .idle, .stopped: break
        }
        if waiting > 0 {
            return isAlone
                ? tr(
                    waiting, one: "1 item waits for another device to connect",
                    other: "{1} items wait for another device to connect")
                : tr(waiting, one: "1 item waiting", other: "{1} items waiting")
        }
        return differences ?? tr("Up to date")
    }

    /// What differs and will stay so until a person decides.
    private var differences: String? {
        let here = model.counts?.changedHereOnly ?? 0
        if settings.direction.keepsChangesHere, here > 0 {
            return tr(
                here, one: "1 item was changed on this computer only",
                other: "{1} items were changed on this computer only")
        }
        let elsewhere = model.counts?.neededItems ?? 0
        if settings.direction == .sendOnly, elsewhere > 0 {
            return tr(elsewhere, one: "1 item differs on other devices", other: "{1} items differ on other devices")
        }
        return nil
    }

    private static func stopped(_ reason: String) -> String {
        reason.isEmpty ? tr("Stopped") : tr("Stopped: {1}", reason)
    }

    private var progress: UInt8 {
        guard let counts = model.counts, counts.neededBytes > 0 else { return Progress.none }
        return TransferProgress(done: counts.inSyncBytes &+ received, total: counts.globalBytes).percent
    }

    /// The bytes of items that are not complete yet.
    private var received: UInt64 { model.transfers.receiving.values.reduce(0) { $0 &+ $1.done } }

    // MARK: For the interface of engines

    /// The folder for ListFolders.
    var summary: SyncedFolder {
        var folder = SyncedFolder(
            id: settings.id, uri: settings.root.uri, remote: remote, label: label, state: state)
        folder.isPaused = settings.isPaused
        return folder
    }

    /// The devices with which it is shared.
    private var remote: String {
        settings.devices.map { device in names[device].flatMap { $0.isEmpty ? nil : $0 } ?? String(device.prefix(7)) }
            .joined(separator: ", ")
    }

    /// The state for Status.
    func status(transfers limit: Int) -> SyncFolderStatus {
        var status = SyncFolderStatus(id: settings.id, uri: settings.root.uri, state: state)
        (status.remote, status.label, status.text) = (remote, label, text)
        guard absence == nil else {
            status.message = absence
            return status
        }
        status.itemsTotal = waiting
        status.counts = counts
        status.message = message
        status.needs = need.map { WireWord($0) }
        if model.activity == .syncing, let counts = model.counts {
            status.progress = progress
            (status.bytesDone, status.bytesTotal) = (min(received, counts.neededBytes), counts.neededBytes)
            status.rate = rate
            status.remaining = rate.flatMap { $0 > 0 ? (counts.neededBytes - status.bytesDone) / $0 + 1 : nil }
        }
        status.transfers = Array(transfers.prefix(limit))
        return status
    }

    private var counts: [Badge: UInt64] {
        let counts: [Badge: UInt64] = [
            .pending: waiting, .error: UInt64(model.failures.count),
            // Both versions of each.
            .conflict: 2 * UInt64(model.conflicts.count),
        ]
        return counts.filter { $0.value > 0 }
    }

    private var message: String? {
        if case .stopped(let reason) = model.activity { return Self.stopped(reason) }
        return model.failures.first?.reason
    }

    private var need: FolderNeed? {
        if case .stopped(let reason) = model.activity {
            if reason.contains("space") { return .diskFull }
            return reason.contains("missing") ? .rootMissing : .errors
        }
        if !model.failures.isEmpty { return .errors }
        return model.conflicts.isEmpty ? nil : .conflicts
    }

    private var transfers: [SyncTransfer] {
        model.transfers.receiving.sorted { $0.key < $1.key }.map { item, progress in
            SyncTransfer(uri: item.uri, direction: .download, bytesDone: progress.done, bytesTotal: progress.total)
        }
    }

    // MARK: Problems

    /// Errors first, then conflicts.
    func problems(within place: ItemURI?) -> [SyncProblem] {
        let failures = model.failures.reasons.sorted { $0.key < $1.key }.map { item, reason in
            SyncProblem(
                folder: settings.id, uri: item.uri, state: .error,
                message: tr("Syncthing could not receive it: {1}.", reason))
        }
        let conflicts = model.conflicts.pairs.map { pair in
            SyncProblem(
                folder: settings.id, uri: pair.copy.uri, state: .conflict,
                message: tr(
                    "It was changed on two devices. Compare it with “{1}”, then delete the one that you do not need.",
                    pair.original.displayName))
        }
        let stopped: [SyncProblem]
        if case .stopped(let reason) = model.activity {
            stopped = [
                SyncProblem(folder: settings.id, uri: settings.root.uri, state: .error, message: Self.stopped(reason))
            ]
        } else {
            stopped = []
        }
        return (stopped + failures + conflicts).filter { problem in
            place.map { (try? ItemURI(problem.uri))?.isWithin($0) ?? false } ?? true
        }
    }

    /// The conflicts for the interface of engines.
    func conflicts(within place: ItemURI?) -> [SyncConflict] {
        model.conflicts.pairs.filter { pair in
            place.map { pair.copy.isWithin($0) || pair.original.isWithin($0) } ?? true
        }.map { pair in
            SyncConflict(folder: settings.id, uri: pair.original.uri, copyURI: pair.copy.uri, kind: WireWord(.edits))
        }
    }
}

extension FolderReport {
    /// What of the folder needs the person.
    var notices: [FolderNotice] {
        guard absence == nil, !settings.isPaused else { return [] }
        if case .stopped(let reason) = model.activity {
            return [
                FolderNotice(
                    id: "stopped", title: tr("Syncthing has stopped “{1}”", label), text: Self.stopped(reason),
                    urgency: .critical, actions: [.init(id: FolderMenu.Action.open.rawValue, label: tr("Open"))]
                ).shortened
            ]
        }
        guard !model.failures.isEmpty else { return [] }
        let count = model.failures.count
        return [
            FolderNotice(
                id: "failures",
                title: tr(
                    count, one: "1 item of “{2}” could not be synced", other: "{1} items of “{2}” could not be synced",
                    label),
                text: model.failures.first.map { "\($0.item.displayName): \($0.reason)" } ?? "",
                count: UInt32(clamping: count), actions: [.init(id: FolderMenu.Action.open.rawValue, label: tr("Open"))]
            ).shortened
        ]
    }
}
