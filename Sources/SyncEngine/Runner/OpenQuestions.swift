import SyncCore

/// What the two sides of a folder were asked and have not answered yet: tells a side that does not answer from one that
/// is slow. Pure; every moment is of one clock.
struct OpenQuestions {
    typealias Instant = SuspendingClock.Instant

    /// How long an answer may take.
    enum Kind: Hashable, CaseIterable {
        /// To look at something.
        case look
        /// To read or write a part of a file.
        case part
        /// To rename, remove, make or change something. A file may have to be copied for it.
        case change
        /// To make something durable, which may mean to write out all that memory holds.
        case durability

        var patience: Duration {
            switch self {
            case .look: .seconds(8)
            case .part: .seconds(15)
            case .change: .seconds(120)
            case .durability: .seconds(600)
            }
        }
    }

    private struct Question {
        var side: Side
        var kind: Kind
        var asked: Instant
    }

    /// The sides that may leave a question open for ever.
    private let watched: Set<Side>
    private var questions: [UInt64: Question] = [:]
    private var last: UInt64 = 0
    /// When each side answered last.
    private var answered: [Side: Instant] = [:]

    /// - Parameter watched: The sides that may leave a question open for ever; others end each by themselves.
    init(of watched: Set<Side> = Set(Side.allCases)) {
        self.watched = watched
    }

    /// Notes a question; gives its number.
    mutating func ask(_ side: Side, _ kind: Kind, at now: Instant) -> UInt64 {
        last += 1
        questions[last] = Question(side: side, kind: kind, asked: now)
        return last
    }

    /// The question is answered, and the work that asked it asks the next one.
    mutating func turn(_ number: UInt64, to side: Side, _ kind: Kind, at now: Instant) {
        if let question = questions[number] { answered[question.side] = now }
        questions[number] = Question(side: side, kind: kind, asked: now)
    }

    /// The question is answered.
    mutating func end(_ number: UInt64, at now: Instant) {
        if let question = questions.removeValue(forKey: number) { answered[question.side] = now }
    }

    /// The side that has owed an answer for too long; the one that owes longest if both do; nil if none does.
    func silentSide(at now: Instant) -> Side? {
        questions.values.filter { isOverdue($0, now) }.min { $0.asked < $1.asked }?.side
    }

    /// To look takes no longer while others look. Whoever moves bytes waits for others who do: a side that answered one
    /// of them meanwhile is busy, not silent.
    private func isOverdue(_ question: Question, _ now: Instant) -> Bool {
        guard watched.contains(question.side) else { return false }
        let since =
            switch question.kind {
            case .look: question.asked
            case .part, .change, .durability: max(question.asked, answered[question.side] ?? question.asked)
            }
        return since.duration(to: now) >= question.kind.patience
    }
}
