internal import RoundelBus

/// Names one menu that is being put together.
struct MenuBuildID: Hashable {
    let rawValue: UInt64
}

/// A menu that is being put together.
struct MenuBuild {
    enum Stage {
        /// Rules of manifests need to know what is a directory, before anybody is asked.
        case looking
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
        var isWaiting = false
        /// The provider's answer if it was right.
        var items: [MenuItem]?
    }

    let token: CallToken
    let client: String
    let kind: MenuKind
    var parts: [Part]
    var stage = Stage.asking
    /// Whether each selected item is a directory, as far as that was checked and is known.
    var isDirectory: [ItemURI: Bool]?
    var inspection: RequestToken?
    /// What is being inspected, in the order of the facts that will come.
    var inspected: [ItemURI] = []

    /// Leaves out the providers whose manifest rules the selection out.
    mutating func filter() {
        let all = self
        parts.removeAll { !all.applies($0.rules, to: $0) }
    }

    func applies(_ rules: MenuRules?, to part: Part) -> Bool {
        rules?.allows(kind, part.selection, part.badges, isDirectory ?? [:]) ?? true
    }
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

    mutating func inspect(_ id: MenuBuildID, _ token: RequestToken, _ items: [ItemURI]) {
        builds[id]?.inspection = token
        builds[id]?.inspected = items
        inspections[token] = id
    }

    func inspected(_ token: RequestToken) -> MenuBuildID? { inspections[token] }

    mutating func take(_ id: MenuBuildID) -> MenuBuild? {
        guard let build = builds.removeValue(forKey: id) else { return nil }
        if let token = build.inspection { inspections[token] = nil }
        return build
    }

    /// Leaves a provider out of every menu; gives those that it took part in, oldest first.
    mutating func withdraw(_ provider: ProviderID) -> [MenuBuildID] {
        let ids = builds.filter { $0.value.parts.contains { $0.provider == provider } }.keys
        for id in ids {
            builds[id]?.parts.removeAll { $0.provider == provider }
        }
        return ids.sorted { $0.rawValue < $1.rawValue }
    }

    /// The caller is gone, so nobody waits any more; gives its calls.
    mutating func removeAll(of client: String) -> [CallToken] {
        let ids = builds.filter { $0.value.client == client }.keys.sorted { $0.rawValue < $1.rawValue }
        return ids.compactMap { take($0)?.token }
    }
}
