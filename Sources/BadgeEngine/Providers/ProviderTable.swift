internal import RoundelBus

/// What is known of one provider, running or not.
struct ProviderRecord {
    let id: ProviderID
    private(set) var manifest: Manifest?
    private(set) var isEnabled = true
    /// Where it runs; nil: it does not.
    private(set) var endpoint: ProviderEndpoint?
    private(set) var registration: ProviderRegistration?
    /// Its folders, the same set that it gave last.
    private(set) var folders: [RegisteredFolder] = []
    /// Where in `folders` each is, by its location: thousands may go with the disk that they are on.
    private var positions: [ItemURI: Int] = [:]
    /// Which of its folders were registered when, by its spelling. One that has unregistered keeps its place in the order.
    private(set) var ranks: [ItemURI: UInt64] = [:]
    /// It gave its folders on its present connection.
    private(set) var hasClaimed = false
    private(set) var images: [BadgeImage] = []
    private(set) var status: [ItemURI: FolderStatus] = [:]
    /// What of its folders needs the person; no entry where nothing does.
    private(set) var notices: [ItemURI: [FolderNotice]] = [:]
    private(set) var lastError = ""
    /// It unregistered: it went on purpose and is not started again before it comes by itself or a person enables it.
    private(set) var hasWithdrawn = false
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

    // MARK: Manifest and settings

    /// - Parameter manifest: nil: it is no longer installed.
    mutating func setManifest(_ manifest: Manifest?) { self.manifest = manifest }

    mutating func setEnabled(_ isEnabled: Bool) { self.isEnabled = isEnabled }

    /// Sets what an earlier run of the service kept.
    mutating func restore(_ saved: SavedState.Provider) {
        isEnabled = saved.enabled
        ranks = saved.ranks
        set(
            saved.folders.map { offer in
                RegisteredFolder(provider: id, offer: offer, location: offer.folder, rank: ranks[offer.folder] ?? 0)
            })
    }

    // MARK: Registration

    mutating func register(_ new: ProviderRegistration) {
        registration = new
        lastError = ""
        hasWithdrawn = false
    }

    /// What it registered ends with its connection.
    mutating func endRegistration() { registration = nil }

    fileprivate mutating func connect(_ endpoint: ProviderEndpoint) { self.endpoint = endpoint }

    fileprivate mutating func disconnect() {
        endpoint = nil
        hasClaimed = false
    }

    /// It unregistered on purpose.
    mutating func withdraw() { hasWithdrawn = true }

    /// A person wants it to run, even if it unregistered.
    mutating func allowStart() { hasWithdrawn = false }

    mutating func clearError() { lastError = "" }

    /// Keeps what went wrong last; false if that is known.
    @discardableResult
    mutating func noteError(_ text: String) -> Bool {
        guard lastError != text else { return false }
        lastError = text
        return true
    }

    // MARK: Folders and what it gives for them

    /// Sets the folders that it gave on its present connection.
    mutating func claim(_ claimed: [RegisteredFolder]) {
        set(claimed)
        ranks = Dictionary(claimed.map { ($0.offer.folder, $0.rank) }) { first, _ in first }
        hasClaimed = true
        let spellings = Set(claimed.map(\.offer.folder))
        status = status.filter { spellings.contains($0.key) }
        notices = notices.filter { spellings.contains($0.key) }
    }

    /// Another provider has claimed these places.
    mutating func giveUpFolders(at places: Set<ItemURI>) {
        guard places.contains(where: hasFolder) else { return }
        set(folders.filter { !places.contains($0.location) })
    }

    /// Whether one of its folders is at this place.
    func hasFolder(at location: ItemURI) -> Bool { positions[location] != nil }

    private mutating func set(_ new: [RegisteredFolder]) {
        folders = new
        positions = Dictionary(new.enumerated().map { ($1.location, $0) }) { first, _ in first }
    }

    /// Forgets its folders and what it gave for them.
    /// - Parameter comesBack: it ends for now, and comes back with the same folders.
    mutating func withdrawFolders(comesBack: Bool) {
        set([])
        if !comesBack { ranks = [:] }
        images = []
        withdrawReports()
    }

    /// Notes what stands at the place of a folder.
    /// - Parameter spellings: nil: as before.
    mutating func updateFolder(at location: ItemURI, _ kind: FolderFacts.Kind, spellings: [ItemURI]?) {
        guard let position = positions[location] else { return }
        folders[position].update(kind, spellings: spellings)
    }

    /// A folder counts as registered last.
    mutating func renewRank(of folder: ItemURI, _ rank: UInt64) {
        guard let position = folders.firstIndex(where: { $0.offer.folder == folder }) else { return }
        folders[position].rank = rank
        ranks[folder] = rank
    }

    mutating func setImages(_ new: [BadgeImage]) { images = new }

    /// Sets the status of a folder and what needs the person; returns the properties that change with that.
    mutating func report(_ new: FolderStatus, _ newNotices: [FolderNotice], of folder: ItemURI) -> ChangedProperties {
        var changed: ChangedProperties = []
        if (status[folder] ?? .unknown) != new { changed.insert(.folderStatus) }
        if (notices[folder] ?? []) != newNotices { changed.insert(.notices) }
        guard !changed.isEmpty else { return [] }
        status[folder] = new
        notices[folder] = newNotices.isEmpty ? nil : newNotices
        return changed
    }

    /// Forgets the status of its folders and what needs the person.
    mutating func withdrawReports() {
        status = [:]
        notices = [:]
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

    mutating func forget(_ id: ProviderID) { records[id] = nil }

    func provider(at connection: String) -> ProviderID? { connections[connection] }

    mutating func connect(_ id: ProviderID, _ endpoint: ProviderEndpoint) {
        connections[endpoint.connection] = id
        records[id]?.connect(endpoint)
    }

    mutating func disconnect(_ id: ProviderID) {
        guard let endpoint = records[id]?.endpoint else { return }
        connections[endpoint.connection] = nil
        records[id]?.disconnect()
    }

    func activeEndpoint(_ id: ProviderID) -> ProviderEndpoint? {
        guard let record = records[id], record.isActive else { return nil }
        return record.endpoint
    }

    /// The folders that take part, of all enabled providers.
    func folderTable(_ allowed: Set<FolderNesting>) -> FolderTable {
        FolderTable(ids.compactMap { records[$0] }.filter(\.isEnabled).flatMap(\.folders), allowed)
    }
}
