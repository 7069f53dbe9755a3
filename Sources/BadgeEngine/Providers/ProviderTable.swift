internal import RoundelBus

/// What is known of one provider, running or not.
struct ProviderRecord {
    let id: ProviderID
    var manifest: Manifest?
    var isEnabled = true
    /// Where it runs; nil: it does not.
    var endpoint: ProviderEndpoint?
    var registration: ProviderRegistration?
    /// Its folders, the same set that it gave last.
    var folders: [RegisteredFolder] = []
    /// It gave its folders on its present connection.
    var hasClaimed = false
    var images: [BadgeImage] = []
    var status: [ItemURI: FolderStatus] = [:]
    /// What of its folders needs the person; no entry where nothing does.
    var notices: [ItemURI: [FolderNotice]] = [:]
    var lastError = ""
    /// It unregistered: it went on purpose and is not started again before it comes by itself or a person enables it.
    var hasWithdrawn = false
    var changes = ChangeForwarder()

    init(id: ProviderID) {
        self.id = id
    }

    /// It can be asked about its folders.
    var isActive: Bool { isEnabled && endpoint != nil && hasClaimed }

    var name: String {
        if let name = registration?.name, !name.isEmpty { return name }
        if let name = manifest?.name, !name.isEmpty { return name }
        return id.rawValue
    }

    var icon: String {
        if let icon = registration?.icon, !icon.isEmpty { return icon }
        return manifest?.icon ?? ""
    }

    /// Nothing about it is worth keeping.
    var isForgettable: Bool { manifest == nil && endpoint == nil && folders.isEmpty && isEnabled }

    /// Whether it will be back by itself.
    var isStartable: Bool { manifest != nil && isEnabled }

    /// Whether its folders stay known while it does not run. One without a manifest may never come back.
    var keepsFolders: Bool { manifest != nil }

    var summary: ProviderSummary {
        ProviderSummary(
            id: id, name: name, icon: icon, enabled: isEnabled, running: endpoint != nil,
            folders: folders.map(\.offer.folder).sorted(), lastError: lastError)
    }
}

/// All providers that are known, and which connection is which.
struct ProviderTable {
    private(set) var records: [ProviderID: ProviderRecord] = [:]
    private var connections: [String: ProviderID] = [:]

    var ids: [ProviderID] { records.keys.sorted() }

    /// How many are known that no manifest announces.
    var strangers: Int { records.values.count { $0.manifest == nil } }

    subscript(id: ProviderID) -> ProviderRecord? {
        _read { yield records[id] }
        _modify { yield &records[id] }
    }

    /// Changes a provider that may be new.
    mutating func update(_ id: ProviderID, _ change: (inout ProviderRecord) -> Void) {
        change(&records[id, default: ProviderRecord(id: id)])
    }

    func provider(at connection: String) -> ProviderID? { connections[connection] }

    mutating func connect(_ id: ProviderID, _ endpoint: ProviderEndpoint) {
        connections[endpoint.connection] = id
        records[id]?.endpoint = endpoint
    }

    mutating func disconnect(_ id: ProviderID) {
        guard let endpoint = records[id]?.endpoint else { return }
        connections[endpoint.connection] = nil
        records[id]?.endpoint = nil
        records[id]?.hasClaimed = false
    }

    func activeEndpoint(_ id: ProviderID) -> ProviderEndpoint? {
        guard let record = records[id], record.isActive else { return nil }
        return record.endpoint
    }

    /// The folders that take part, of all enabled providers.
    var folderTable: FolderTable {
        FolderTable(ids.compactMap { records[$0] }.filter(\.isEnabled).flatMap(\.folders))
    }
}
