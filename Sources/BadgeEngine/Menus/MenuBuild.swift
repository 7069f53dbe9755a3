internal import RoundelBus

/// Names one menu that is being put together.
struct MenuBuildID: Hashable {
    let rawValue: UInt64
}

/// A menu that is being put together.
struct MenuBuild {
    /// What has to be done for the menu.
    enum Step {
        /// Somebody still has to answer.
        case wait
        /// Find out which of the selected items are directories.
        case inspect
        case askProviders
        /// Nothing more is awaited.
        case finish
    }

    private enum Stage {
        /// Rules of manifests need to know what is a directory, before anybody is asked.
        case inspecting
        case asking
    }

    /// One provider's part.
    struct Part {
        let provider: ProviderID
        let endpoint: ProviderEndpoint
        let name: String
        /// Of its manifest.
        let rules: MenuRules?
        let target: ItemURI?
        let selection: [ItemURI]
        /// The badge of each selected item, as far as it is known.
        let badges: [Badge?]
        fileprivate(set) var isWaiting = false
        /// The provider's answer if it was right.
        fileprivate(set) var items: [MenuItem]?
    }

    let token: CallToken
    let client: String
    let kind: MenuKind
    private(set) var parts: [Part]
    private var stage = Stage.asking
    /// Whether each selected item is a directory, as far as that was checked and is known.
    private var isDirectory: [ItemURI: Bool]?
    private(set) var inspection: RequestToken?
    /// What is being inspected, in the order of the facts that will come.
    private var inspected: [ItemURI] = []

    init(token: CallToken, client: String, kind: MenuKind, parts: [Part]) {
        self.token = token
        self.client = client
        self.kind = kind
        self.parts = parts
        filter()
    }

    /// Leaves out the providers whose manifests do not admit the selection.
    private mutating func filter() {
        let all = self
        parts.removeAll { !all.applies($0.rules, to: $0) }
    }

    func applies(_ rules: MenuRules?, to part: Part) -> Bool {
        rules?.allows(kind, part.selection, part.badges, isDirectory ?? [:]) ?? true
    }

    /// Whether a provider takes part.
    func involves(_ provider: ProviderID) -> Bool { parts.contains { $0.provider == provider } }

    /// Whether a provider that was asked has not answered.
    func isWaiting(for provider: ProviderID) -> Bool { parts.contains { $0.provider == provider && $0.isWaiting } }

    /// What to do first.
    var firstStep: Step {
        if parts.isEmpty { return .finish }
        let needsKinds = parts.contains { !$0.selection.isEmpty && ($0.rules?.needKinds ?? false) }
        return needsKinds ? .inspect : .askProviders
    }

    /// What to do next. The items are inspected as soon as an answer needs that, so that another provider's lateness
    /// does not leave its rules undecided.
    var nextStep: Step {
        guard stage == .asking else { return .wait }
        let needsKinds = parts.contains { part in
            !part.selection.isEmpty && (part.items ?? []).contains(where: \.needsKinds)
        }
        if needsKinds && isDirectory == nil { return inspection == nil ? .inspect : .wait }
        return parts.contains(where: \.isWaiting) ? .wait : .finish
    }

    /// Nobody is asked before the items have been inspected.
    mutating func deferAsking() { stage = .inspecting }

    /// Begins to inspect the selected items; returns them.
    mutating func inspect(_ token: RequestToken) -> [ItemURI] {
        inspection = token
        inspected = Set(parts.flatMap(\.selection)).sorted()
        return inspected
    }

    /// Applies what the inspection found, in the order of the items; returns what to do next.
    mutating func setKinds(_ facts: [Bool?]) -> Step {
        var isDirectory: [ItemURI: Bool] = [:]
        for (item, fact) in zip(inspected, facts) {
            isDirectory[item] = fact
        }
        self.isDirectory = isDirectory
        guard stage == .inspecting else { return nextStep }
        filter()
        return parts.isEmpty ? .finish : .askProviders
    }

    /// The providers are asked now.
    mutating func beginAsking() {
        stage = .asking
        for position in parts.indices { parts[position].isWaiting = true }
    }

    /// A provider has answered.
    /// - Parameter items: its part; nil if the answer was wrong.
    mutating func answer(_ items: [MenuItem]?, by provider: ProviderID) {
        guard let position = parts.firstIndex(where: { $0.provider == provider }) else { return }
        parts[position].isWaiting = false
        parts[position].items = items
    }

    mutating func leaveOut(_ provider: ProviderID) { parts.removeAll { $0.provider == provider } }
}

/// The menus that are being put together.
struct MenuBuilds {
    private var builds: [MenuBuildID: MenuBuild] = [:]
    private var inspections: [RequestToken: MenuBuildID] = [:]
    private var last: UInt64 = 0

    subscript(id: MenuBuildID) -> MenuBuild? {
        _read { yield builds[id] }
        _modify { yield &builds[id] }
    }

    mutating func add(_ build: MenuBuild) -> MenuBuildID {
        last += 1
        let id = MenuBuildID(rawValue: last)
        builds[id] = build
        return id
    }

    /// Begins to inspect the items of a menu; returns them.
    mutating func inspect(_ id: MenuBuildID, _ token: RequestToken) -> [ItemURI] {
        inspections[token] = id
        return builds[id]?.inspect(token) ?? []
    }

    func inspected(_ token: RequestToken) -> MenuBuildID? { inspections[token] }

    mutating func remove(_ id: MenuBuildID) -> MenuBuild? {
        guard let build = builds.removeValue(forKey: id) else { return nil }
        if let token = build.inspection { inspections[token] = nil }
        return build
    }

    /// Leaves a provider out of every menu; returns those that had a part of it, oldest first.
    mutating func withdraw(_ provider: ProviderID) -> [MenuBuildID] {
        let ids = builds.filter { $0.value.involves(provider) }.keys
        for id in ids { builds[id]?.leaveOut(provider) }
        return ids.sorted { $0.rawValue < $1.rawValue }
    }

    /// The caller is gone, so nobody waits any more; returns its calls.
    mutating func removeAll(of client: String) -> [CallToken] {
        let ids = builds.filter { $0.value.client == client }.keys.sorted { $0.rawValue < $1.rawValue }
        return ids.compactMap { remove($0)?.token }
    }
}
