internal import RoundelBus
internal import Support

/// A request of Syncthing's REST interface.
struct RestRequest: Equatable, Sendable {
    enum Method: String, Sendable { case get = "GET", post = "POST", patch = "PATCH" }

    let method: Method
    /// The path with its query, percent-encoded.
    let target: String
    /// A value of JSON; "" for none.
    let body: String
    /// How long the answer may take; nil for any time.
    let limit: Duration?
    /// Whether it has a connection of its own, so that what may take long keeps nothing else waiting.
    let isLong: Bool

    /// - Parameter query: Keys with their values, which are encoded here.
    init(
        _ path: String, _ query: [(String, String)] = [], _ method: Method = .get, body: String = "",
        limit: Duration? = Patience.Syncthing.answer, isLong: Bool = false
    ) {
        self.method = method
        self.body = body
        self.limit = limit
        self.isLong = isLong || limit == nil
        let pairs = query.map { "\($0)=\(PercentCoding.encode(segment: Array($1.utf8)))" }
        target = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    static let version = RestRequest("/rest/system/version")
    static let status = RestRequest("/rest/system/status")
    static let configuration = RestRequest("/rest/config")
    static let connections = RestRequest("/rest/system/connections")

    private static let events = SyncthingEvent.names.joined(separator: ",")

    /// The newest event, to begin with.
    static let newestEvent = RestRequest("/rest/events", [("events", events), ("limit", "1"), ("timeout", "0")])

    /// The events after one, for which Syncthing waits as long as it may. One that has been stopped does not answer then.
    static func events(after id: Int64) -> RestRequest {
        let seconds = max(1, Patience.Syncthing.events.components.seconds)
        return RestRequest(
            "/rest/events", [("events", events), ("since", "\(id)"), ("timeout", "\(seconds)")],
            limit: .seconds(seconds + 30), isLong: true)
    }

    /// - Parameter name: The path of the item below the folder, for questions about one.
    init(_ question: Question, of folder: String, name: String?) {
        let key = ("folder", folder)
        let page = [("page", "1"), ("perpage", "\(NeededItems.most)")]
        switch question {
        case .counts: self.init("/rest/db/status", [key])
        case .failures: self.init("/rest/folder/errors", [key])
        case .needed: self.init("/rest/db/need", [key] + page)
        case .ignores: self.init("/rest/db/ignores", [key])
        case .completion(let device): self.init("/rest/db/completion", [key, ("device", device)])
        case .unsent(let device): self.init("/rest/db/remoteneed", [key, ("device", device)] + page)
        case .record: self.init("/rest/db/file", [key, ("file", name ?? "")])
        case .listing: self.init("/rest/db/browse", [key, ("prefix", name ?? ""), ("levels", "0")])
        case .tree: self.init("/rest/db/browse", [key])
        }
    }

    static func scan(_ folder: String, below name: String?) -> RestRequest {
        RestRequest("/rest/db/scan", [("folder", folder)] + (name.map { [("sub", $0)] } ?? []), .post, limit: nil)
    }

    static func pause(_ folder: String, _ isPaused: Bool) -> RestRequest {
        RestRequest(
            "/rest/config/folders/" + PercentCoding.encode(segment: Array(folder.utf8)), [], .patch,
            body: "{\"paused\":\(isPaused)}")
    }

    static func override(_ folder: String) -> RestRequest {
        RestRequest("/rest/db/override", [("folder", folder)], .post)
    }
    static func revert(_ folder: String) -> RestRequest { RestRequest("/rest/db/revert", [("folder", folder)], .post) }
}

extension Answer {
    /// Reads the answer to a question.
    /// - Parameter status: Of HTTP.
    init(_ question: Question, status: Int, _ answer: JSON) {
        guard status == 200 else {
            self = status == 404 ? .none : .failed
            return
        }
        switch question {
        // Anything but an object would be counted as a folder or a device that lacks nothing.
        case .counts: self = answer.isObject ? .counts(FolderCounts(answer)) : .failed
        case .failures: self = .failures(FailedItem.list(answer))
        case .needed, .unsent: self = .items(NeededItems(answer))
        case .ignores: self = .ignores(answer["expanded"].values.compactMap(\.string))
        case .completion: self = answer.isObject ? .completion(Completion(answer)) : .failed
        case .record: self = .record(IndexRecord(answer))
        case .listing:
            let items = answer.values.compactMap { item in
                item["name"].string.map { ($0, IndexRecord.Version(listed: item)) }
            }
            self = .listing(Dictionary(items) { $1 })
        case .tree: self = .tree(Self.names(answer, below: ""))
        }
    }

    /// The paths of those items in a tree whose names look like those of conflict copies.
    private static func names(_ tree: JSON, below directory: String) -> [String] {
        tree.values.flatMap { item -> [String] in
            guard let name = item["name"].string else { return [] }
            let path = directory + name
            let own = name.utf8.count > 30 && name.contains(".sync-conflict-") ? [path] : []
            return own + names(item["children"], below: path + "/")
        }
    }
}

extension JSON {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}
