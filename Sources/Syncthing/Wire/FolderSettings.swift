internal import RoundelBus
internal import Support
internal import SystemPackage

/// The identifier of a device, as Syncthing writes it.
typealias PeerID = String

/// A folder of Syncthing's configuration.
struct FolderSettings: Equatable, Sendable {
    /// In which directions a folder is synced.
    enum Direction: String, Sendable {
        /// Both.
        case both = "sendreceive"
        /// What changes on other devices is not accepted.
        case sendOnly = "sendonly"
        /// What changes here is not sent.
        case receiveOnly = "receiveonly"
        /// The same, and what is here is encrypted.
        case encrypted = "receiveencrypted"

        /// Whether what changes here stays here.
        var keepsChangesHere: Bool {
            switch self {
            case .both, .sendOnly: false
            case .receiveOnly, .encrypted: true
            }
        }
    }

    /// Constant until the folder is removed.
    let id: String
    /// The name that the person gave it; "" for none.
    let label: String
    /// The directory.
    let root: ItemURI
    let direction: Direction
    let isPaused: Bool
    /// The other devices that share it.
    let devices: [PeerID]
}

/// What Syncthing's configuration says that matters here.
struct SyncthingConfiguration: Equatable, Sendable {
    let folders: [FolderSettings]
    /// The names of the devices.
    let devices: [PeerID: String]

    /// Reads the answer of `/rest/config`.
    /// - Parameters:
    ///   - own: This device, which is left out.
    ///   - home: What `~` stands for at the beginning of a path.
    init(_ answer: JSON, own: PeerID, home: String) {
        folders = answer["folders"].values.compactMap { folder in
            guard let id = folder["id"].string, let path = folder["path"].string,
                let root = Self.root(path, home: home)
            else { return nil }
            return FolderSettings(
                id: id, label: folder["label"].string ?? "", root: root,
                direction: folder["type"].string.flatMap(FolderSettings.Direction.init(rawValue:)) ?? .both,
                isPaused: folder["paused"].bool ?? false,
                devices: folder["devices"].values.compactMap { $0["deviceID"].string }.filter { $0 != own })
        }
        devices = Dictionary(
            answer["devices"].values.compactMap { device in
                device["deviceID"].string.map { ($0, device["name"].string ?? "") }
            }
        ) { $1 }
    }

    init(folders: [FolderSettings], devices: [PeerID: String]) {
        (self.folders, self.devices) = (folders, devices)
    }

    /// The directory at a path of the configuration; nil if it cannot be the place of items.
    static func root(_ path: String, home: String) -> ItemURI? {
        let isBelowHome = path == "~" || path.hasPrefix("~/")
        return try? ItemURI(path: FilePath(isBelowHome ? home + path.dropFirst() : path))
    }
}
