internal import RoundelBus

/// Identifies a menu that is being built.
struct MenuBuildID: Hashable {
    let rawValue: UInt64
}

/// A menu that is being built.
struct MenuBuild {
    /// The next step for the menu.
    enum Step: Equatable {
        /// An answer is still missing.
        case wait
        /// Find this out of the selected items.
        case inspect(RuleFacts)
        case askProviders
        /// Nothing more is expected.
        case finish
    }

    private enum Stage {
        /// Rules of manifests need to know more of the items before providers are asked.
        case inspecting
        case asking
    }

    /// One provider's part.
    struct Part {
        let provider: ProviderID
        let endpoint: ProviderEndpoint
        let name: String
        /// The rules of its manifest.
        let rules: MenuRules?
        let target: ItemURI?
        let selection: [ItemURI]
        /// The badge of each selected item, if it is known.
        let badges: [Badge?]
        /// The types of the selected items, as far as they are known.
        fileprivate var census: TypeCensus
        fileprivate(set) var isWaiting = false
        /// The provider's answer, if it was valid.
        fileprivate(set) var items: [MenuItem]?

        init(
            provider: ProviderID, endpoint: ProviderEndpoint, name: String, rules: MenuRules?, target: ItemURI?,
            selection: [ItemURI], badges: [Badge?]
        ) {
            self.provider = provider
            self.endpoint = endpoint
            self.name = name
            self.rules = rules
            self.target = target
            self.selection = selection
            self.badges = badges
            census = TypeCensus(unknown: selection.count)
        }
    }

    let token: CallToken
    let client: String
    let kind: MenuKind
    /// The number under which the menu was returned although something was missing; nil before that.
    var given: UInt64?
    private(set) var parts: [Part]
    /// The service's own entry, where no provider has a part.
    private(set) var invitation: FolderInvitation?
    private var stage = Stage.asking
    /// Whether each selected item is a directory, if that was checked and is known.
    private var isDirectory: [ItemURI: Bool] = [:]
    /// The types that each selected item can have by its name, if they were looked up and are known.
    private var types: [ItemURI: [DataType]] = [:]
    /// What was asked of the items, and what of that was answered.
    private var asked: RuleFacts = []
    private var known: RuleFacts = []
    /// The items of each such question, in the order of the expected facts.
    private var inspections: [RequestToken: [ItemURI]] = [:]

    init(
        token: CallToken, client: String, kind: MenuKind, parts: [Part], invitation: FolderInvitation? = nil
    ) {
        self.token = token
        self.client = client
        self.kind = kind
        self.parts = parts
        if parts.isEmpty { self.invitation = invitation }
        filter()
    }

    /// Removes the providers whose manifests do not admit the selection.
    private mutating func filter() {
        let all = self
        parts.removeAll { !all.applies($0.rules, to: $0) }
    }

    func applies(_ rules: MenuRules?, to part: Part) -> Bool {
        rules?.allows(kind, part.selection, part.badges, isDirectory, part.census) ?? true
    }

    /// Whether a provider has a part in the menu.
    func involves(_ provider: ProviderID) -> Bool { parts.contains { $0.provider == provider } }

    /// The providers whose answers are missing, by their names for the user.
    var missing: [String] {
        switch stage {
        case .inspecting: parts.map(\.name)
        case .asking: parts.filter(\.isWaiting).map(\.name)
        }
    }

    /// Whether a provider was asked and has not answered.
    func isWaiting(for provider: ProviderID) -> Bool { parts.contains { $0.provider == provider && $0.isWaiting } }

    /// The open questions about items.
    var questions: some Collection<RequestToken> { inspections.keys }

    /// What has to be known of the items for the rules that are known.
    private var needed: RuleFacts {
        var facts: RuleFacts = []
        for part in parts where !part.selection.isEmpty {
            switch stage {
            case .inspecting: facts.formUnion(part.rules?.neededFacts ?? [])
            case .asking: for item in part.items ?? [] { facts.formUnion(item.neededFacts) }
            }
        }
        return facts
    }

    /// The first step.
    mutating func begin() -> Step {
        if let invitation, !invitation.isDirectory {
            stage = .inspecting
            return .inspect(.kinds)
        }
        if parts.isEmpty { return .finish }
        stage = .inspecting
        let needed = needed
        return needed.isEmpty ? .askProviders : .inspect(needed)
    }

    /// The next step. The items are inspected as soon as an answer requires it, so that its rules can be applied even
    /// if another provider is late.
    var nextStep: Step {
        guard stage == .asking else { return .wait }
        let missing = needed.subtracting(known)
        if !missing.isEmpty {
            let unasked = missing.subtracting(asked)
            return unasked.isEmpty ? .wait : .inspect(unasked)
        }
        // A menu that the caller has is completed part by part.
        return given == nil && parts.contains(where: \.isWaiting) ? .wait : .finish
    }

    /// Starts inspecting the selected items; returns them. Of more than so many the rest restrict nothing.
    mutating func inspect(_ facts: RuleFacts, _ token: RequestToken) -> [ItemURI] {
        let items = parts.flatMap(\.selection) + (invitation.map { [$0.directory] } ?? [])
        let inspected = Array(Set(items).sorted().prefix(Limits.inspectedItems))
        asked.formUnion(facts)
        inspections[token] = inspected
        return inspected
    }

    /// Applies which items are directories, in the order of the question; returns the next step.
    mutating func setKinds(_ facts: [Bool?], _ token: RequestToken) -> Step {
        guard let items = inspections.removeValue(forKey: token) else { return .wait }
        for (item, fact) in zip(items, facts) { isDirectory[item] = fact }
        if let directory = invitation?.directory { invitation?.isDirectory = isDirectory[directory] ?? false }
        return goOn(with: .kinds)
    }

    /// Applies the types that the items can have, in the order of the question; returns the next step.
    mutating func setTypes(_ facts: [[DataType]], _ token: RequestToken) -> Step {
        guard let items = inspections.removeValue(forKey: token) else { return .wait }
        for (item, fact) in zip(items, facts) { types[item] = fact }
        return goOn(with: .types)
    }

    private mutating func goOn(with facts: RuleFacts) -> Step {
        known.formUnion(facts)
        if known.isSuperset(of: [.kinds, .types]) {
            for position in parts.indices {
                parts[position].census = TypeCensus(
                    parts[position].selection, isDirectory: isDirectory, types: types)
            }
        }
        switch stage {
        case .asking: return nextStep
        case .inspecting:
            guard needed.isSubset(of: known) else { return .wait }
            filter()
            return parts.isEmpty ? .finish : .askProviders
        }
    }

    /// The providers are being asked.
    mutating func beginAsking() {
        stage = .asking
        for position in parts.indices { parts[position].isWaiting = true }
    }

    /// A provider has answered.
    /// - Parameter items: Its part; nil if the answer was invalid.
    mutating func answer(_ items: [MenuItem]?, by provider: ProviderID) {
        guard let position = parts.firstIndex(where: { $0.provider == provider }) else { return }
        parts[position].isWaiting = false
        parts[position].items = items
    }

    mutating func leaveOut(_ provider: ProviderID) { parts.removeAll { $0.provider == provider } }

    /// Gives up the providers whose answers are missing.
    /// - Returns: Those that were asked.
    mutating func leaveOutMissing() -> [ProviderID] {
        switch stage {
        case .inspecting:
            parts = []
            return []
        case .asking:
            let late = parts.filter(\.isWaiting).map(\.provider)
            parts.removeAll(where: \.isWaiting)
            return late
        }
    }
}

/// The menus that are being built.
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

    /// Starts inspecting the items of a menu; returns them.
    mutating func inspect(_ facts: RuleFacts, of id: MenuBuildID, _ token: RequestToken) -> [ItemURI] {
        inspections[token] = id
        return builds[id]?.inspect(facts, token) ?? []
    }

    /// The menu for which a question about items was answered; each answer counts once.
    mutating func inspected(_ token: RequestToken) -> MenuBuildID? { inspections.removeValue(forKey: token) }

    mutating func remove(_ id: MenuBuildID) -> MenuBuild? {
        guard let build = builds.removeValue(forKey: id) else { return nil }
        for token in build.questions { inspections[token] = nil }
        return build
    }

    /// Removes a provider from every menu; returns the menus that it had a part in, oldest first.
    mutating func withdraw(_ provider: ProviderID) -> [MenuBuildID] {
        let ids = builds.filter { $0.value.involves(provider) }.keys
        for id in ids { builds[id]?.leaveOut(provider) }
        return ids.sorted { $0.rawValue < $1.rawValue }
    }

    /// Removes the menus that were returned and are no longer held.
    mutating func removeGiven(unless isHeld: (UInt64) -> Bool) {
        for (id, build) in builds where build.given.map({ !isHeld($0) }) ?? false { _ = remove(id) }
    }

    /// The caller left and needs no answers; returns its calls.
    mutating func removeAll(of client: String) -> [CallToken] {
        let ids = builds.filter { $0.value.client == client }.keys.sorted { $0.rawValue < $1.rawValue }
        return ids.compactMap { remove($0) }.filter { $0.given == nil }.map(\.token)
    }
}
