internal import RoundelBus

/// The calls of hosts about directories with unknown spellings, until the places of these are found.
///
/// A caller's calls about one directory stay in order: later ones wait with the first.
struct PlaceQuestions {
    struct Open {
        let caller: String
        /// The directories to find, in the order of the answer.
        let directories: [ItemURI]
        /// The calls that wait, in order.
        fileprivate(set) var calls: [HostCall]
        /// Roughly how many bytes these occupy.
        fileprivate var bytes: Int
    }

    private struct Caller {
        var directories: [ItemURI: RequestToken] = [:]
        /// Questions that have been asked.
        var asked: Set<RequestToken> = []
        /// Questions that have not been asked yet, oldest first.
        var waiting: [RequestToken] = []
        /// Roughly how many bytes its calls occupy.
        var bytes = 0
    }

    private(set) var open: [RequestToken: Open] = [:]
    private var callers: [String: Caller] = [:]

    var isEmpty: Bool { open.isEmpty }

    func contains(_ token: RequestToken) -> Bool { open[token] != nil }

    /// Whether so many questions of a caller are open that only indispensable ones should be asked.
    func isCrowded(for name: String) -> Bool {
        callers[name].map { $0.asked.count + $0.waiting.count >= Limits.openPlaceQuestionsPerCaller } ?? false
    }

    /// The open question of a caller about one of these directories, with which a call has to wait; nil if there is
    /// none.
    func question(of name: String, about directories: some Sequence<ItemURI>) -> RequestToken? {
        guard let caller = callers[name] else { return nil }
        return directories.lazy.compactMap { caller.directories[$0] }.first
    }

    /// Whether a call may wait beside those of its caller that wait already. One alone may always.
    func hasRoom(for call: HostCall) -> Bool {
        guard let bytes = callers[call.caller]?.bytes, bytes > 0 else { return true }
        return bytes + call.request.size <= Limits.waitingHostBytes
    }

    /// Lets a call wait for the answer to a question of its caller.
    mutating func join(_ call: HostCall, _ token: RequestToken) {
        open[token]?.calls.append(call)
        count(call, token)
    }

    private mutating func count(_ call: HostCall, _ token: RequestToken) {
        let bytes = call.request.size
        open[token]?.bytes += bytes
        callers[call.caller]?.bytes += bytes
    }

    /// Adds a question for a call that does not wait with an earlier one.
    mutating func add(_ token: RequestToken, _ call: HostCall, about directories: [ItemURI]) {
        open[token] = Open(caller: call.caller, directories: directories, calls: [call], bytes: 0)
        for directory in directories { callers[call.caller, default: Caller()].directories[directory] = token }
        callers[call.caller, default: Caller()].waiting.append(token)
        count(call, token)
    }

    /// The questions of a caller that must be asked now.
    mutating func next(of name: String) -> [(RequestToken, [ItemURI])] {
        guard let caller = callers[name] else { return [] }
        let tokens = caller.waiting.prefix(Limits.placeQuestionsPerCaller - caller.asked.count)
        callers[name]?.waiting.removeFirst(tokens.count)
        callers[name]?.asked.formUnion(tokens)
        return tokens.map { ($0, open[$0]?.directories ?? []) }
    }

    /// A question is answered, or will not be; nil if the answer is not needed.
    mutating func remove(_ token: RequestToken) -> Open? {
        guard let question = open.removeValue(forKey: token) else { return nil }
        for directory in question.directories { callers[question.caller]?.directories[directory] = nil }
        callers[question.caller]?.asked.remove(token)
        callers[question.caller]?.waiting.removeAll { $0 == token }
        callers[question.caller]?.bytes -= question.bytes
        if callers[question.caller]?.directories.isEmpty ?? false { callers[question.caller] = nil }
        return question
    }

    /// The caller left; returns its calls, which need no answer.
    mutating func removeAll(of name: String) -> [CallToken] {
        let tokens = Set(callers[name]?.directories.values.map(\.self) ?? [])
        return tokens.sorted().flatMap { remove($0)?.calls.map(\.token) ?? [] }
    }
}

extension HostRequest {
    /// Roughly how many bytes a call occupies while it waits.
    fileprivate var size: Int {
        func sum(_ items: [ItemURI]) -> Int { items.reduce(0) { $0 + $1.path.utf8.count + 16 } }
        return switch self {
        case .beginObserving(let uri), .endObserving(let uri): sum([uri])
        case .requestBadges(let uri, let names): names.reduce(sum([uri])) { $0 + $1.encoded.utf8.count + 16 }
        case .requestDirectory(let uri, let after, limit: _): sum([uri]) + (after?.encoded.utf8.count ?? 0)
        case .getMenu(kind: _, let target, let selection): sum(selection) + (target.map { sum([$0]) } ?? 0)
        case .getAttributes(let uri, let keys): keys.reduce(sum([uri])) { $0 + $1.utf8.count + 16 }
        case .getItemService(let uri, let interface): sum([uri]) + interface.utf8.count
        case .activate, .activateNotice: 0
        }
    }
}
