/// The questions that are to be asked and those that are on their way. Each is on its way once: what is asked again
/// meanwhile is asked after the answer, which may be older than the reason to ask.
struct QuestionBook: Equatable, Sendable {
    private enum State { case wanted, asked, askedAndWanted }
    private var states: [Question: State] = [:]
    private var wanted: [Question] = []

    /// Whether a question is wanted, or its answer outstanding.
    func isOpen(_ question: Question) -> Bool { states[question] != nil }

    /// Asks for the answer to a question as of now.
    mutating func want(_ question: Question) {
        switch states[question] {
        case nil:
            states[question] = .wanted
            wanted.append(question)
        case .asked: states[question] = .askedAndWanted
        case .wanted, .askedAndWanted: break
        }
    }

    /// The questions to send now, in the order in which they came up.
    mutating func take() -> [Question] {
        defer { wanted = [] }
        for question in wanted { states[question] = .asked }
        return wanted
    }

    /// Notes that a question was answered, or failed.
    mutating func answered(_ question: Question) {
        let isWanted = states[question] == .askedAndWanted
        states[question] = nil
        if isWanted { want(question) }
    }
}
