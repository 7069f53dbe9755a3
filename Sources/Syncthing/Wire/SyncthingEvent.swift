internal import Support

/// An event of `/rest/events`.
struct SyncthingEvent: Equatable, Sendable {
    /// Consecutive within a subscription, beginning with 1.
    let id: Int64
    /// What happened; nil for events that do not matter here.
    let fact: Fact?

    enum Fact: Equatable, Sendable {
        /// A folder does something else now; the word for it.
        case stateChanged(folder: String, to: String, problem: String)
        /// What a folder lacks may be another. The event says what; that was counted some time before it.
        case countsChanged(folder: String)
        /// The index of this computer has changed for these items.
        case localIndex(folder: String, names: [String])
        case remoteIndex(folder: String, device: PeerID)
        case started(folder: String, name: String)
        /// An item is finished, with Syncthing's words for what went wrong.
        case finished(folder: String, name: String, problem: String?)
        /// The items of each folder that are being received.
        case receiving([String: [String: TransferProgress]])
        /// The number of blocks that a device has of the items that it receives.
        case sending(folder: String, device: PeerID, blocks: [String: UInt64])
        case failed(folder: String, [FailedItem])
        /// What a device lacks may be another, likewise.
        case completionChanged(folder: String, device: PeerID)
        case connected(PeerID)
        case disconnected(PeerID)
        case configurationChanged
    }

    /// The events that are asked for.
    static let names = [
        "StateChanged", "FolderSummary", "LocalIndexUpdated", "RemoteIndexUpdated", "ItemStarted", "ItemFinished",
        "DownloadProgress", "RemoteDownloadProgress", "FolderErrors", "FolderCompletion", "DeviceConnected",
        "DeviceDisconnected", "ConfigSaved",
    ]

    /// Reads one event; nil for what is none.
    init?(_ event: JSON) {
        guard let id = event["id"].integer, let type = event["type"].string else { return nil }
        self.id = id
        fact = Self.fact(type, event["data"])
    }

    private static func fact(_ type: String, _ data: JSON) -> Fact? {
        let folder = data["folder"].string ?? ""
        switch type {
        case "StateChanged":
            return .stateChanged(folder: folder, to: data["to"].string ?? "", problem: data["error"].string ?? "")
        case "FolderSummary": return .countsChanged(folder: folder)
        case "LocalIndexUpdated":
            return .localIndex(folder: folder, names: data["filenames"].values.compactMap(\.string))
        case "RemoteIndexUpdated": return .remoteIndex(folder: folder, device: data["device"].string ?? "")
        case "ItemStarted": return data["item"].string.map { .started(folder: folder, name: $0) }
        case "ItemFinished":
            return data["item"].string.map { .finished(folder: folder, name: $0, problem: data["error"].string) }
        case "DownloadProgress": return .receiving(progress(data))
        case "RemoteDownloadProgress":
            let blocks = data["state"].entries.map { ($0.key, $0.value.count) }
            return .sending(
                folder: folder, device: data["device"].string ?? "",
                blocks: Dictionary(blocks) { $1 })
        case "FolderErrors": return .failed(folder: folder, FailedItem.list(data))
        case "FolderCompletion":
            return .completionChanged(folder: folder, device: data["device"].string ?? "")
        case "DeviceConnected": return data["id"].string.map { .connected($0) }
        case "DeviceDisconnected": return data["id"].string.map { .disconnected($0) }
        case "ConfigSaved": return .configurationChanged
        default: return nil
        }
    }

    private static func progress(_ data: JSON) -> [String: [String: TransferProgress]] {
        Dictionary(
            data.entries.map { folder in
                let items = folder.value.entries.map { item in
                    (
                        item.key,
                        TransferProgress(done: item.value["bytesDone"].count, total: item.value["bytesTotal"].count)
                    )
                }
                return (folder.key, Dictionary(items) { $1 })
            }
        ) { $1 }
    }
}
