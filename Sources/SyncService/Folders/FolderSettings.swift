internal import RoundelBus

/// What the user chose for one synced folder. Stored separately from the database, so that the choices survive its
/// loss.
struct FolderSettings: Codable, Equatable {
    /// Constant until the folder is removed.
    var id: String
    /// The canonical `file://` URI of the folder.
    var uri: String
    /// The remote as the user entered it.
    var remote: String
    /// The name shown to the user.
    var label: String
    /// Whether the user paused syncing.
    var paused = false
    /// When syncing goes on by itself after a pause, in microseconds since 1970; nil if only the user resumes it.
    var pausedUntil: Int64?
    /// The user's exclude patterns, in addition to the bundled ones.
    var excludes: [String] = []
    /// Microseconds since 1970.
    var added: Int64
    /// The names of the server's traits, as probed; nil for a directory.
    var traits: [String]?
    /// The identity of the server when it was probed; nil for a directory, and if it was not recorded.
    var server: String?
    /// How the folder may use the network; nil for the default.
    var network: NetworkUse?
    /// What was chosen for a folder on demand; nil for one whose contents are all on this computer.
    var onDemand: OnDemandSettings?
    /// What was chosen for a folder from which items are only uploaded; nil for any other.
    var uploadOnly: UploadOnlySettings?
}

/// What the user chose for a folder from which items are only uploaded.
struct UploadOnlySettings: Codable, Equatable {
    /// Whether a file goes to the trash once it was uploaded.
    var trashesUploaded = false
}

extension FolderSettings {
    /// What a person who writes an entry by hand leaves out has its default.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        uri = try values.decode(String.self, forKey: .uri)
        remote = try values.decode(String.self, forKey: .remote)
        label = try values.decodeIfPresent(String.self, forKey: .label) ?? Self.label(of: uri)
        paused = try values.decodeIfPresent(Bool.self, forKey: .paused) ?? false
        pausedUntil = try values.decodeIfPresent(Int64.self, forKey: .pausedUntil)
        excludes = try values.decodeIfPresent([String].self, forKey: .excludes) ?? []
        added = try values.decodeIfPresent(Int64.self, forKey: .added) ?? 0
        traits = try values.decodeIfPresent([String].self, forKey: .traits)
        server = try values.decodeIfPresent(String.self, forKey: .server)
        network = try values.decodeIfPresent(NetworkUse.self, forKey: .network)
        onDemand = try values.decodeIfPresent(OnDemandSettings.self, forKey: .onDemand)
        uploadOnly = try values.decodeIfPresent(UploadOnlySettings.self, forKey: .uploadOnly)
    }

    /// The name under which a folder is shown if it was given none.
    private static func label(of uri: String) -> String { (try? ItemURI(uri))?.label ?? uri }
}

extension ItemURI {
    /// The name of the item as text, `/` for the root.
    var label: String { name.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "/" }
}
