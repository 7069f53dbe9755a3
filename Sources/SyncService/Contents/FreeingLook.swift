internal import SyncCore

/// What comes of one look for files that go by a rule. A file that cannot go stays, and another one goes instead; where
/// none can go, the look is over.
struct FreeingLook {
    /// What was not chosen yet, the eldest first.
    private var rest: ArraySlice<FreeingRule.Candidate>
    /// What was chosen and is not begun yet.
    private var chosen: ArraySlice<FreeingRule.Candidate> = []
    /// The bytes that are free with what was freed. A file system may show that only later.
    private var room = Int64.min

    /// - Parameter eldestFirst: What may go, in the order of the rule.
    init(_ eldestFirst: [FreeingRule.Candidate] = []) { rest = eldestFirst[...] }

    /// Chooses by the rule; gives how many files, 0 if the look is over.
    ///
    /// - Parameters:
    ///   - free: The bytes that are free now, as far as the file system shows it.
    ///   - now: The present time, in seconds since 1970.
    mutating func choose(by rule: FreeingRule, free: Int64, now: Int64) -> Int {
        room = max(room, free)
        chosen = rule.choice(from: rest, free: room, now: now)
        rest = rest[chosen.endIndex...]
        return chosen.count
    }

    /// The next file that was chosen; nil if there is no more.
    mutating func next() -> FreeingRule.Candidate? { chosen.popFirst() }

    /// What came of a file.
    mutating func ended(_ file: FreeingRule.Candidate, _ end: DemandEnd) {
        switch end {
        case .done: room = room.addingReportingOverflow(file.bytes).partialValue
        case .failed(let failure): if failure.reason.concernsAllFiles { (chosen, rest) = ([], []) }
        case .withdrawn: break
        }
    }
}

extension DemandFailure.Reason {
    /// Whether other files of the folder cannot go either.
    fileprivate var concernsAllFiles: Bool {
        switch self {
        case .offline, .held, .unsupported, .interrupted: true
        case .denied, .noSpace, .gone, .unsteady, .failed, .inUse, .pinned, .onlyHere: false
        }
    }
}
