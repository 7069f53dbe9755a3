/// The result of one check of `roundel doctor`.
struct Finding: Sendable, Equatable {
    enum Verdict: String, Sendable {
        /// Everything is as it should be.
        case good
        /// It works, but could be better.
        case advice
        /// It does not work; the user can do something about it.
        case problem
    }

    /// What was checked; a constant: `bus`, `service`, `worker`, `providers`, `watches`, `folders`, `plugins`, `tray`,
    /// `notifications`, `sidebar`, `icons`.
    let subject: String
    let verdict: Verdict
    /// The result as a sentence.
    let text: String
    /// What to do, as a sentence or command.
    let remedy: String?
    /// Whether nothing works before this problem is solved.
    let isFatal: Bool

    init(_ subject: String, _ verdict: Verdict, _ text: String, remedy: String? = nil, isFatal: Bool = false) {
        self.isFatal = isFatal
        self.subject = subject
        self.verdict = verdict
        self.text = text
        self.remedy = remedy
    }

    var json: JSON {
        .object([
            .init("subject", .string(subject)), .init("verdict", .string(verdict.rawValue)),
            .init("text", .string(text)), .init("remedy", .optional(remedy, JSON.string)),
        ])
    }

    func lines(on terminal: Terminal) -> [String] {
        let (style, mark): (Style, String) =
            switch verdict {
            case .good: (.green, terminal.hasUnicode ? "✓" : "ok")
            case .advice: (.yellow, terminal.hasUnicode ? "•" : "--")
            case .problem: (.red, terminal.hasUnicode ? "✗" : "!!")
            }
        let indent = String(repeating: " ", count: DisplayWidth.of(mark) + 1)
        let first = style.apply(to: mark, on: terminal) + " " + DisplayText.escaped(text)
        return [first] + (remedy.map { [indent + Style.bold.apply(to: DisplayText.escaped($0), on: terminal)] } ?? [])
    }
}
