import BadgeEngine
import RoundelBus

@testable import Support

/// An engine with one provider and one folder, and short ways to talk to it.
struct Bench {
    var engine = Engine()
    var now = Instant(nanoseconds: 1_000_000_000)
    private var lastToken: UInt64 = 0
    private var manifests: [Manifest] = []
    private let hasManifests: Bool

    /// The folder of the provider `cloud`.
    static let folder = uri("/home/Cloud")
    static let connection = "p1"

    /// - Parameter hasManifests: whether a manifest announces each provider that ``register(_:_:_:watch:)`` registers.
    init(registered: Bool = true, hasManifests: Bool = true) {
        self.hasManifests = hasManifests
        if registered { register("cloud", Self.connection, [Self.folder]) }
    }

    static func uri(_ path: String) -> ItemURI { (try? ItemURI("file://" + path)) ?? .root }
    static func names(_ names: String...) -> [ItemName] { names.compactMap { try? ItemName($0) } }

    /// Whether no directory is or leads anywhere else than its spelling says, which the engine learns at once.
    var hasOnlyPlainDirectories = true

    mutating func send(_ event: Event) -> [Action] {
        let actions = engine.handle(event, now: now)
        guard hasOnlyPlainDirectories else { return actions }
        return actions.flatMap { action in
            guard case .findPlaces(let token, let directories) = action else { return [action] }
            return engine.handle(.placesFound(token, directories.map { FoundDirectory(places: [$0]) }), now: now)
        }
    }

    mutating func host(_ request: HostRequest, by caller: String = "h1") -> [Action] {
        lastToken += 1
        return send(.host(HostCall(caller: caller, token: CallToken(lastToken), request: request)))
    }

    mutating func registry(_ request: RegistryRequest, by caller: String = connection) -> [Action] {
        lastToken += 1
        return send(.registry(RegistryCall(caller: caller, token: CallToken(lastToken), request: request)))
    }

    mutating func settings(_ request: SettingsRequest) -> [Action] {
        lastToken += 1
        return send(.settings(SettingsCall(token: CallToken(lastToken), request: request)))
    }

    /// Registers a provider with folders that are plain directories.
    @discardableResult
    mutating func register(_ id: String, _ connection: String, _ folders: [ItemURI], watch: Bool = false) -> [Action] {
        if hasManifests { install(id, owner: connection) }
        return registry(.register(ProviderRegistration(object: "/p", id: id)), by: connection)
            + setFolders(folders.map { FolderOffer(folder: $0, watch: watch) }, by: connection)
    }

    /// Registers a provider, and a person allows its folders wherever they are.
    @discardableResult
    mutating func registerAllowed(_ id: String, _ connection: String, _ folders: [ItemURI]) -> [Action] {
        var actions = register(id, connection, folders)
        for folder in folders { actions += settings(.allow(id, folder)) }
        return actions
    }

    /// Installs a provider's manifest, or reports who owns its bus name now.
    @discardableResult
    mutating func install(_ id: String, owner: String?) -> [Action] {
        guard let id = ProviderID(id) else { return [] }
        manifests.removeAll { $0.id == id }
        manifests.append(Manifest(id: id, name: "", icon: "", busName: "org.example.\(id)", owner: owner))
        return send(.manifests(manifests))
    }

    /// Reports several manifests at once, of providers that do not run: as roundeld finds them when it starts.
    mutating func install(_ ids: [String]) {
        manifests = ids.compactMap { ProviderID($0) }.map {
            Manifest(id: $0, name: "", icon: "", busName: "org.example.\($0)", owner: nil)
        }
        _ = send(.manifests(manifests))
    }

    @discardableResult
    mutating func setFolders(
        _ offers: [FolderOffer], by connection: String = connection, kind: FolderFacts.Kind = .directory,
        spellings: [ItemURI] = []
    ) -> [Action] {
        let actions = registry(.setFolders(offers), by: connection)
        guard case .checkFolders(let token, let folders)? = actions.first else { return actions }
        let facts = folders.map { FolderFacts(folder: $0, kind: kind, spellings: spellings) }
        return actions + send(.foldersChecked(token, facts))
    }

    /// Answers the first question among the actions.
    mutating func answer(_ actions: [Action], _ answer: ProviderAnswer) -> [Action] {
        guard let token = actions.questions.first?.token else { return [] }
        return send(.answer(token, answer))
    }

    mutating func update(
        _ directory: String, _ values: [(String, String)], by connection: String = connection
    ) -> [Action] {
        registry(.updateBadges(Self.uri(directory), Self.columns(values)), by: connection)
    }

    /// Lets so much of a limit pass.
    mutating func advance(milliseconds: Int64) -> [Action] { pass(Patience.limit(.milliseconds(milliseconds))) }

    /// Lets so much of the time pass during which changes are collected.
    mutating func collect(milliseconds: Int64) -> [Action] { pass(Patience.pause(.milliseconds(milliseconds))) }

    private mutating func pass(_ time: Duration) -> [Action] {
        now = now + time
        return send(.timer)
    }

    /// Columns with the names.
    static func columns(_ values: [(String, String)]) -> BadgeColumns {
        var columns = BadgeColumns()
        for (name, badge) in values {
            guard let name = try? ItemName(name) else { continue }
            columns.append(name, Badge(badge), [], Progress.none)
        }
        return columns
    }

    /// Columns as RequestBadges answers: without the names.
    static func answer(_ badges: String...) -> ProviderAnswer {
        let count = badges.count
        return .badges(
            BadgeColumns(
                badges: badges.map { Badge($0) }, flags: Array(repeating: 0, count: count),
                progress: Array(repeating: Progress.none, count: count)))
    }
}

extension [Action] {
    var questions: [(token: RequestToken, endpoint: ProviderEndpoint, request: ProviderRequest)] {
        compactMap {
            if case .ask(let token, let endpoint, let request) = $0 { (token, endpoint, request) } else { nil }
        }
    }

    var notices: [ProviderNotice] {
        compactMap { if case .notify(_, let notice) = $0 { notice } else { nil } }
    }

    var replies: [Reply] {
        compactMap { if case .reply(_, let reply) = $0 { reply } else { nil } }
    }

    var errors: [RoundelError.Code] {
        compactMap { if case .fail(_, let error) = $0 { error.code } else { nil } }
    }

    /// Badges of the replies to RequestBadges.
    var badges: [[String]] {
        replies.compactMap { if case .badges(let columns) = $0 { columns.badges.map(\.identifier) } else { nil } }
    }

    /// The names and the next of the replies to RequestDirectory.
    var listings: [[String]] {
        replies.compactMap { reply in
            guard case .directory(let columns, let next) = reply else { return nil }
            return columns.names.map(\.encoded) + (next.map { ["next \($0)"] } ?? [])
        }
    }

    /// The signals as "client directory name=badge name=badge".
    var signals: [String] {
        compactMap { action in
            guard case .signalBadges(let client, let directory, let columns) = action else { return nil }
            let rows = (0..<columns.count).map { "\(columns.names[$0])=\(columns.badges[$0])" }
            return "\(client) \(directory.path) " + rows.joined(separator: " ")
        }
    }

    var resets: [String] {
        compactMap { if case .signalReset(let client) = $0 { client } else { nil } }
    }

    /// The providers that are to be started.
    var starts: [String] {
        compactMap { if case .activateProvider(let id, _) = $0 { id.rawValue } else { nil } }
    }
}
