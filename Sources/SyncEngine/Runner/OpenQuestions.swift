import Support
import SyncCore

/// Questions that the two sides of a folder have not answered yet: distinguishes a side that does not answer from a
/// slow one. Pure; all times come from one clock.
struct OpenQuestions {
    typealias Instant = SuspendingClock.Instant

    /// How long an answer may take.
    enum Kind: Hashable, CaseIterable {
        /// Examining something.
        case look
        /// Reading or writing a part of a file.
        case part
        /// Renaming, removing, creating or changing something, which may require copying a file.
        case change
        /// Making something durable, which may mean writing out everything that memory holds.
        case durability

        var patience: Duration {
            switch self {
            case .look: Patience.Syncing.look
            case .part: Patience.Syncing.part
            case .change: Patience.Syncing.change
            case .durability: Patience.Syncing.durability
            }
        }
    }

    private struct Question {
        var side: Side
        var kind: Kind
        var asked: Instant
    }

    /// The sides that may leave a question open forever.
    private let watched: Set<Side>
    private var questions: [UInt64: Question] = [:]
    private var last: UInt64 = 0
    /// When each side last answered.
    private var answered: [Side: Instant] = [:]

    /// - Parameter watched: The sides that may leave a question open forever; the calls of other sides end by
    ///   themselves.
    init(of watched: Set<Side> = Set(Side.allCases)) {
        self.watched = watched
    }

    /// Notes a question; returns its number.
    mutating func ask(_ side: Side, _ kind: Kind, at now: Instant) -> UInt64 {
        last += 1
        questions[last] = Question(side: side, kind: kind, asked: now)
        return last
    }

    /// The question is answered, and the work that asked it now asks the next one.
    mutating func turn(_ number: UInt64, to side: Side, _ kind: Kind, at now: Instant) {
        if let question = questions[number] { answered[question.side] = now }
        questions[number] = Question(side: side, kind: kind, asked: now)
    }

    /// The question is answered.
    mutating func end(_ number: UInt64, at now: Instant) {
        if let question = questions.removeValue(forKey: number) { answered[question.side] = now }
    }

    /// The side whose answer is overdue; of two, the one that was asked first; nil if there is none.
    func silentSide(at now: Instant) -> Side? {
        questions.values.filter { isOverdue($0, now) }.min { $0.asked < $1.asked }?.side
    }

    /// Looks do not slow each other down; transfers and changes do: a side that answered one of them meanwhile is busy,
    /// not silent.
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
