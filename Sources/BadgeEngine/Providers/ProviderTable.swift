internal import RoundelBus

/// Everything known about a provider, running or not.
struct ProviderRecord {
    let id: ProviderID
    private(set) var manifest: Manifest?
    /// The program in a sandbox that the id belongs to; nil for none.
    private(set) var program: SandboxedProgram?
    /// What the user chose, where it differs from what it begins with; nil if nothing.
    private var choice: Bool?
    /// Where it runs; nil if it does not.
    private(set) var endpoint: ProviderEndpoint?
    private(set) var registration: ProviderRegistration?
    /// Its folders: the last set that it registered.
    private(set) var folders: [RegisteredFolder] = []
    /// The index of each folder in `folders`, by location: thousands of folders may vanish together with their disk.
    private var positions: [ItemURI: Int] = [:]
    /// The registration order of its folders, by spelling. A provider that has unregistered keeps its order.
    private(set) var ranks: [ItemURI: UInt64] = [:]
    /// Whether it has set its folders on its present connection.
    private(set) var hasClaimed = false
    private(set) var images: [BadgeImage] = []
    /// The icons of the pictures that it has stored on its present connection, by its own names.
    private(set) var pictures: [String: String] = [:]
    private(set) var status: [ItemURI: FolderStatus] = [:]
    /// What its folders need from the user; no entry if nothing.
    private(set) var notices: [ItemURI: [FolderNotice]] = [:]
    private(set) var lastError = ""
    /// Whether it unregistered: it ended on purpose, and is not restarted before it returns on its own or the user
    /// enables it.
    private(set) var hasWithdrawn = false
    /// How it failed since it last answered as it has to.
    var failures = ProviderFailures()
    var changes = ChangeForwarder()

    init(id: ProviderID) {
        self.id = id
    }

    var isEnabled: Bool { choice ?? startsEnabled }

    /// Whether it is on before the user has said anything about it.
    private var startsEnabled: Bool { manifest?.startsEnabled ?? (program == nil) }

    /// Whether it waits for the user to say whether it may be on.
    var isNew: Bool { choice == nil && (manifest?.beginning == .asks || program != nil) }

    /// What the user chose, to be kept; nil if nothing.
    var keptChoice: Bool? { choice }

    /// Whether it can be asked about its folders.
    var isActive: Bool { isEnabled && endpoint != nil && hasClaimed }

    var name: String {
        // What it says of itself could be anybody's.
        if let program { return program.name }
        if let name = registration?.name, !name.isEmpty { return name }
        if let name = manifest?.name, !name.isEmpty { return name }
        return id.rawValue
    }

    var icon: String {
        if let icon = program?.icon, !icon.isEmpty { return icon }
        if let icon = registration?.icon, !icon.isEmpty { return icon }
        return manifest?.icon ?? ""
    }

    /// The objects of the interfaces that it offers: as it registered them; while it does not run, as its manifest says.
    var services: [String: String] { (endpoint == nil ? manifest?.services : registration?.services) ?? [:] }

    /// Where it can be called: by the name that starts it, if it has one; nil if it does not run and cannot be started.
    var busName: String? { manifest?.busName ?? endpoint?.connection }

    /// Whether nothing about it needs to be kept.
    var isForgettable: Bool {
        manifest == nil && program == nil && endpoint == nil && folders.isEmpty && isEnabled
    }

    /// Whether it will come back on its own.
    var isStartable: Bool { manifest != nil && isEnabled }

    /// Whether its folders are remembered while it does not run. A provider without a manifest may never come back.
    var keepsFolders: Bool { manifest != nil }

    var summary: ProviderSummary {
        ProviderSummary(
            id: id, name: name, summary: manifest?.summary ?? "", icon: icon, app: program?.app.text ?? "",
            enabled: isEnabled, isNew: isNew, running: endpoint != nil,
            folders: folders.map(\.offer.folder).sorted(), busName: busName ?? "", services: services,
            lastError: lastError, trouble: isEnabled ? failures.trouble : nil)
    }

    // MARK: Manifest and settings

    /// - Parameter manifest: nil: it is no longer installed.
    mutating func setManifest(_ manifest: Manifest?) {
        self.manifest = manifest
        // What the user said of an app in a sandbox says nothing of another program.
        if manifest != nil, program != nil { (program, choice) = (nil, nil) }
        // A provider that is removed and installed again is asked for again.
        if choice == true { setEnabled(true) }
    }

    mutating func setEnabled(_ isEnabled: Bool) {
        choice = isEnabled && startsEnabled ? nil : isEnabled
        failures = ProviderFailures()
    }

    /// Restores what an earlier run of the service saved.
    mutating func restore(_ saved: SavedState.Provider) {
        choice = saved.enabled
        program = saved.app.map { SandboxedProgram(app: $0) }
        ranks = saved.ranks
        set(
            saved.folders.map { offer in
                RegisteredFolder(provider: id, offer: offer, location: offer.folder, rank: ranks[offer.folder] ?? 0)
            })
    }

    // MARK: Registration

    /// The id belongs to a program in a sandbox.
    mutating func belong(to program: SandboxedProgram) { self.program = program }

    mutating func register(_ new: ProviderRegistration) {
        registration = new
        lastError = ""
        hasWithdrawn = false
    }

    /// Its registration ends with its connection.
    mutating func endRegistration() { registration = nil }

    fileprivate mutating func connect(_ endpoint: ProviderEndpoint) { self.endpoint = endpoint }

    fileprivate mutating func disconnect() {
        endpoint = nil
        hasClaimed = false
    }

    /// It has unregistered on purpose.
    mutating func withdraw() { hasWithdrawn = true }

    /// The user wants it to run, even if it has unregistered.
    mutating func allowStart() { hasWithdrawn = false }

    mutating func clearError() { lastError = "" }

    /// Records its last error; false if it is unchanged.
    @discardableResult
    mutating func noteError(_ text: String) -> Bool {
        guard lastError != text else { return false }
        lastError = text
        return true
    }

    // MARK: Folders and their reports

    /// Sets the folders that it registered on its present connection.
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

    /// Forgets its folders and what it reported about them.
    /// - Parameter comesBack: Whether it ends only for now, and will return with the same folders.
    mutating func withdrawFolders(comesBack: Bool) {
        set([])
        if !comesBack { ranks = [:] }
        images = []
        withdrawReports()
    }

    /// Sets what is at the place of a folder.
    /// - Parameter spellings: nil: unchanged.
    mutating func updateFolder(at location: ItemURI, _ kind: FolderFacts.Kind, spellings: [ItemURI]?) {
        guard let position = positions[location] else { return }
        folders[position].update(kind, spellings: spellings)
    }

    /// Makes a folder count as registered last.
    mutating func renewRank(of folder: ItemURI, _ rank: UInt64) {
        guard let position = folders.firstIndex(where: { $0.offer.folder == folder }) else { return }
        folders[position].rank = rank
        ranks[folder] = rank
    }

    mutating func setImages(_ new: [BadgeImage]) { images = new }

    mutating func setPicture(_ name: String, icon: String) { pictures[name] = icon }

    mutating func forgetPictures() { pictures = [:] }

    /// How many bytes the text of a folder's status may have.
    func roomForStatus(of folder: ItemURI) -> Int {
        status.reduce(Limits.statusTexts) { $1.key == folder ? $0 : $0 - $1.value.text.utf8.count }
    }

    /// How many bytes the notices of a folder may have.
    func roomForNotices(of folder: ItemURI) -> Int {
        notices.reduce(Limits.providerNotices) { rest, entry in
            entry.key == folder ? rest : rest - entry.value.reduce(0) { $0 + $1.size }
        }
    }

    /// Sets the status and notices of a folder; returns the properties that change.
    mutating func report(_ new: FolderStatus, _ newNotices: [FolderNotice], of folder: ItemURI) -> ChangedProperties {
        var changed: ChangedProperties = []
        if (status[folder] ?? .unknown) != new { changed.insert(.folderStatus) }
        if (notices[folder] ?? []) != newNotices { changed.insert(.notices) }
        guard !changed.isEmpty else { return [] }
        status[folder] = new
        notices[folder] = newNotices.isEmpty ? nil : newNotices
        return changed
    }

    /// Forgets the status and notices of its folders.
    mutating func withdrawReports() {
        status = [:]
        notices = [:]
    }
}

/// All known providers, and their connections.
struct ProviderTable {
    private(set) var records: [ProviderID: ProviderRecord] = [:]
    private var connections: [String: ProviderID] = [:]

    var ids: [ProviderID] { records.keys.sorted() }

    /// The number of known providers without a manifest.
    var strangers: Int { records.values.count { $0.manifest == nil } }

    subscript(id: ProviderID) -> ProviderRecord? {
        _read { yield records[id] }
        _modify { yield &records[id] }
    }

    /// Changes a provider, which may be new.
    mutating func update(_ id: ProviderID, _ change: (inout ProviderRecord) -> Void) {
        change(&records[id, default: ProviderRecord(id: id)])
    }

    mutating func forget(_ id: ProviderID) { records[id] = nil }

    /// The id that belongs to an app in a sandbox; nil if it has none.
    func id(of app: SandboxedApp) -> ProviderID? { records.values.first { $0.program?.app == app }?.id }

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

    /// The folders of all enabled providers.
    func folderTable(_ allowed: Set<FolderNesting>) -> FolderTable {
        FolderTable(ids.compactMap { records[$0] }.filter(\.isEnabled).flatMap(\.folders), allowed)
    }
}
