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
    }

    private struct Caller {
        var directories: [ItemURI: RequestToken] = [:]
        /// Questions that have been asked.
        var asked: Set<RequestToken> = []
        /// Questions that have not been asked yet, oldest first.
        var waiting: [RequestToken] = []
    }

    private(set) var open: [RequestToken: Open] = [:]
    private var callers: [String: Caller] = [:]

    var isEmpty: Bool { open.isEmpty }

    func contains(_ token: RequestToken) -> Bool { open[token] != nil }

    /// Whether so many questions of a caller are open that only indispensable ones should be asked.
    func isCrowded(for name: String) -> Bool {
        callers[name].map { $0.asked.count + $0.waiting.count >= Limits.openPlaceQuestionsPerCaller } ?? false
    }

    /// Lets a call wait with an earlier one of its caller about one of these directories; false if there is none.
    mutating func join(_ call: HostCall, about directories: some Sequence<ItemURI>) -> Bool {
        guard let caller = callers[call.caller] else { return false }
        guard let token = directories.lazy.compactMap({ caller.directories[$0] }).first else { return false }
        open[token]?.calls.append(call)
        return true
    }

    /// Adds a question for a call that does not wait with an earlier one.
    mutating func add(_ token: RequestToken, _ call: HostCall, about directories: [ItemURI]) {
        open[token] = Open(caller: call.caller, directories: directories, calls: [call])
        for directory in directories { callers[call.caller, default: Caller()].directories[directory] = token }
        callers[call.caller, default: Caller()].waiting.append(token)
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
        if callers[question.caller]?.directories.isEmpty ?? false { callers[question.caller] = nil }
        return question
    }

    /// The caller left; returns its calls, which need no answer.
    mutating func removeAll(of name: String) -> [CallToken] {
        let tokens = Set(callers[name]?.directories.values.map(\.self) ?? [])
        return tokens.sorted().flatMap { remove($0)?.calls.map(\.token) ?? [] }
    }
}
