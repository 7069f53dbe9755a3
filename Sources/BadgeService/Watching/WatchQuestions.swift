internal import BadgeEngine
internal import RoundelBus

/// The open questions to the watcher, by the tokens in its answers. A question of the engine about several paths is
/// answered when all of them are known. Pure.
struct WatchQuestions {
    /// The purpose of one answer of the watcher.
    enum Subject {
        /// The facts of one of several folders.
        case check(CallToken, PathNumber)
        /// Whether one of several items is a directory.
        case inspect(RequestToken, PathNumber)
        /// The location of one of several directories.
        case find(RequestToken, PathNumber)
        /// The facts of a folder that has appeared.
        case appeared
        case flush(CallToken)
        /// Everything in the folder counts as changed once the watcher has delivered all its reports.
        case report(ItemURI)
    }

    /// One path of a question about several.
    struct PathNumber {
        fileprivate let question: UInt64
        fileprivate let position: Int
    }

    /// The answers to a question about several paths.
    private struct Answers<Answer> {
        private(set) var all: [Answer?]
        private var remaining: Int

        init(count: Int) {
            all = Array(repeating: nil, count: count)
            remaining = count
        }

        var isComplete: Bool { remaining == 0 }

        mutating func set(_ answer: Answer?, at position: Int) {
            all[position] = answer
            remaining -= 1
        }
    }

    private var subjects: [UInt64: Subject] = [:]
    private var lastToken: UInt64 = 0
    private var checks: [UInt64: Answers<FolderFacts>] = [:]
    private var inspections: [UInt64: Answers<Bool>] = [:]
    private var findings: [UInt64: Answers<FoundDirectory>] = [:]
    private var lastQuestion: UInt64 = 0

    // MARK: Asking

    /// The token for a question about one subject.
    mutating func ask(_ subject: Subject) -> UInt64 {
        lastToken += 1
        subjects[lastToken] = subject
        return lastToken
    }

    /// The tokens for a question about the facts of this many folders.
    mutating func ask(factsOf count: Int, for token: CallToken) -> [UInt64] {
        lastQuestion += 1
        checks[lastQuestion] = Answers(count: count)
        return numbers(count).map { ask(.check(token, $0)) }
    }

    /// The tokens for a question whether each of this many items is a directory.
    mutating func ask(kindsOf count: Int, for token: RequestToken) -> [UInt64] {
        lastQuestion += 1
        inspections[lastQuestion] = Answers(count: count)
        return numbers(count).map { ask(.inspect(token, $0)) }
    }

    /// The tokens for a question where each of this many directories is.
    mutating func ask(placesOf count: Int, for token: RequestToken) -> [UInt64] {
        lastQuestion += 1
        findings[lastQuestion] = Answers(count: count)
        return numbers(count).map { ask(.find(token, $0)) }
    }

    private func numbers(_ count: Int) -> [PathNumber] {
        (0..<count).map { PathNumber(question: lastQuestion, position: $0) }
    }

    // MARK: Answers

    /// Removes the question of a token; nil if it was answered before.
    mutating func remove(_ token: UInt64) -> Subject? { subjects.removeValue(forKey: token) }

    /// Stores the facts of one folder, nil if there are none; returns those of all folders once they are complete.
    mutating func answer(_ number: PathNumber, with facts: FolderFacts?) -> [FolderFacts]? {
        checks[number.question]?.set(facts, at: number.position)
        guard let answers = checks[number.question], answers.isComplete else { return nil }
        checks[number.question] = nil
        return answers.all.compactMap(\.self)
    }

    /// Stores whether one item is a directory, nil if unknown; returns the answers for all items once they are
    /// complete.
    mutating func answer(_ number: PathNumber, isDirectory: Bool?) -> [Bool?]? {
        inspections[number.question]?.set(isDirectory, at: number.position)
        guard let answers = inspections[number.question], answers.isComplete else { return nil }
        inspections[number.question] = nil
        return answers.all
    }

    /// Stores where one directory is; returns the results for all directories once they are complete.
    mutating func answer(_ number: PathNumber, with found: FoundDirectory) -> [FoundDirectory]? {
        findings[number.question]?.set(found, at: number.position)
        guard let answers = findings[number.question], answers.isComplete else { return nil }
        findings[number.question] = nil
        return answers.all.map { $0 ?? FoundDirectory() }
    }
}
