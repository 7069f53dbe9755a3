import RoundelBus

/// The state of one folder, as shown by `roundel status`: what the badge service remembers about the folders of all
/// providers, and more if the bundled worker responds.
struct FolderView: Sendable, Equatable {
    let uri: ItemURI
    /// A common badge identifier, or `unknown` or `attention`.
    var state: String
    var text: String
    var percent: UInt8?
    /// Details from the worker; nil for folders of other providers and if the worker does not respond.
    var details: SyncFolderStatus?

    /// From the state that the badge service remembers.
    init(uri: ItemURI, _ status: FolderStatus) {
        self.uri = uri
        state = status.state.word
        text = status.text
        percent = status.progress <= 100 ? status.progress : nil
    }

    /// The folders that the badge service remembers.
    static func views(of properties: HostProperties) -> [FolderView] {
        properties.folderStatus.map { FolderView(uri: $0.key, $0.value) }
    }

    /// From the worker's state; nil if its URI is not one of a local folder.
    init?(_ status: SyncFolderStatus) {
        guard let uri = try? ItemURI(status.uri) else { return nil }
        self.uri = uri
        state = status.state.identifier
        text = status.text
        percent = status.progress <= 100 ? status.progress : nil
        details = status
    }

    /// The number of items in conflict, which includes both versions of each conflict.
    var conflicts: UInt64 { details?.counts[.conflict] ?? 0 }
    /// The number of items that cannot be synced.
    var errors: UInt64 { details?.counts[.error] ?? 0 }

    /// Whether syncing is stopped or incomplete until the user decides something.
    var needsUser: Bool {
        ["conflict", "error", "attention"].contains(state) || conflicts > 0 || errors > 0 || details?.needs != nil
    }

    var json: JSON {
        let transfers = details?.transfers.map(FolderView.json(of:))
        let counts = details.map { details in
            let counts = details.counts.map { ($0.key.identifier, $0.value) }.sorted { $0.0 < $1.0 }
            return JSON.object(counts.map { .init($0.0, .number($0.1)) })
        }
        return .object([
            .init("uri", .string(uri.uri)), .init("path", .string(uri.displayPath)),
            .init("id", .optional(details?.id, JSON.string)),
            .init("label", .string(label)),
            .init("remote", .optional(details?.remote, JSON.string)),
            .init("state", .string(state)), .init("text", .string(text)),
            .init("progress", .optional(percent, JSON.number)),
            .init("bytes_done", .optional(details?.bytesDone, JSON.number)),
            .init("bytes_total", .optional(details?.bytesTotal, JSON.number)),
            .init("rate", .optional(details?.rate, JSON.number)),
            .init("remaining", .optional(details?.remaining, JSON.number)),
            .init("items_total", .optional(details?.itemsTotal, JSON.number)),
            // Only the worker knows its items.
            .init("conflicts", .optional(details.map { _ in conflicts }, JSON.number)),
            .init("errors", .optional(details.map { _ in errors }, JSON.number)),
            .init("counts", .optional(counts) { $0 }),
            .init("last_synced", .optional(details?.lastSynced) { .string(TimeText.utc($0)) }),
            .init("looked_through", .optional(details?.lookedThrough) { .string(TimeText.utc($0)) }),
            .init("rescan_interval", .optional(details?.rescanInterval, JSON.number)),
            .init("message", .optional(details?.message, JSON.string)),
            .init("needs", .optional(details?.needs) { .string($0.text) }),
            .init("pending_deletes", .optional(details?.pendingDeletes, JSON.number)),
            .init("transfers", .optional(transfers, JSON.array)),
        ])
    }

    /// The name shown to the user.
    var label: String {
        if let label = details?.label, !label.isEmpty { return label }
        return uri.name.map { DisplayText.decoding($0.bytes) } ?? "/"
    }

    private static func json(of transfer: SyncTransfer) -> JSON {
        .object([
            .init("uri", .string(transfer.uri)), .init("path", .string(WorkerPath.display(transfer.uri))),
            .init("direction", .string(transfer.direction.rawValue)),
            .init("bytes_done", .number(transfer.bytesDone)), .init("bytes_total", .number(transfer.bytesTotal)),
        ])
    }
}

extension FolderState {
    /// The word for the state in the output: the common badge with the same meaning, if there is one.
    fileprivate var word: String {
        switch self {
        case .unknown: "unknown"
        case .idle: "synced"
        case .syncing: "syncing"
        case .attention: "attention"
        case .error: "error"
        case .paused: "paused"
        }
    }
}

/// Converts URIs from the bus to paths for display.
enum WorkerPath {
    /// The path of a URI; the text itself if it is not a URI.
    static func display(_ uri: String) -> String { (try? ItemURI(uri))?.displayPath ?? uri }

    /// The path of a URI for a sentence; the text itself if it is not a URI.
    static func sentence(_ uri: String) -> String { (try? ItemURI(uri))?.sentencePath ?? uri }

    /// The path of a URI as a word of a shell command.
    static func shellWord(_ uri: String) -> String {
        (try? ItemURI(uri)).map { ShellWord.quoted(bytes: $0.filePath.bytes) } ?? ShellWord.quoted(uri)
    }

    /// The path relative to a folder if the item is in it.
    static func display(_ uri: String, below folder: ItemURI) -> String {
        guard let item = try? ItemURI(uri) else { return uri }
        guard item.isBelow(folder) else { return item.displayPath }
        let prefix = folder.filePath.bytes
        return DisplayText.decoding(item.filePath.bytes.dropFirst(folder.isRoot ? 1 : prefix.count + 1))
    }

    /// The members that describe an item in every JSON document.
    static func json(_ uri: String) -> [JSON.Member] {
        [.init("uri", .string(uri)), .init("path", .string(display(uri)))]
    }
}

extension ItemMessage {
    /// `{"uri":…,"path":…,"message":…}`.
    var json: JSON { .object(WorkerPath.json(uri) + [.init("message", .string(message))]) }
}
