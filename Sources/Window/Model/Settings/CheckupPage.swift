package import Setup
internal import Support

/// What the window that checks this computer shows: what was found, and what would mend it.
package struct CheckupPage: Sendable, Equatable {
    /// One finding.
    package struct Row: Sendable, Equatable {
        /// What was found.
        package let text: String
        /// What to do about it, where no button does it; nil for nothing.
        package let advice: String?
        /// What the button does; nil for no button.
        package let fix: CheckupFix?
        /// The name of the icon for what it means.
        package let icon: String
        /// Whether it needs the user.
        package let isProblem: Bool
        /// What it means, in words.
        package let verdict: String

        /// Everything that the row says, for a screen reader.
        package var spoken: String { TextList.of([verdict, text, advice ?? ""].filter { !$0.isEmpty }) }
    }

    /// What there is to show.
    package enum Kind: String, Sendable {
        /// Findings.
        case list
        /// It is still being looked.
        case waiting
        /// It could not be looked, and ``CheckupPage/summary`` says why.
        case failed
    }

    /// What needs the user, then what could be better, then what is as it should be.
    package let rows: [Row]
    /// What there is to show.
    package let kind: Kind
    /// The result in one sentence.
    package let summary: String

    /// The page while it is being looked.
    package static let waiting = CheckupPage(rows: [], kind: .waiting, summary: "")

    /// The page for what was found.
    package init(_ findings: [Finding]) {
        let order: [Finding.Verdict] = [.problem, .advice, .good]
        let problems = findings.count { $0.verdict == .problem }
        self.init(
            rows: order.flatMap { verdict in findings.filter { $0.verdict == verdict }.map { Row($0) } }, kind: .list,
            summary: problems == 0
                ? tr("Roundel can do its work on this computer.")
                : tr(problems, one: "1 thing needs you.", other: "{1} things need you."))
    }

    /// The page if it could not be looked.
    package init(failure: SetupFailure) {
        self.init(rows: [], kind: .failed, summary: CheckupWords.sentence(failure))
    }

    private init(rows: [Row], kind: Kind, summary: String) {
        (self.rows, self.kind, self.summary) = (rows, kind, summary)
    }
}

extension CheckupPage.Row {
    init(_ finding: Finding) {
        fix = CheckupFix(finding)
        text = DisplayText.escaped(CheckupWords.sentence(finding.fact))
        advice = fix == nil ? finding.remedy.flatMap { CheckupWords.advice($0) }.map { DisplayText.escaped($0) } : nil
        isProblem = finding.verdict == .problem
        switch finding.verdict {
        case .good: (icon, verdict) = ("emblem-ok-symbolic", tr("Good"))
        case .advice: (icon, verdict) = ("dialog-information-symbolic", tr("Could be better"))
        case .problem: (icon, verdict) = ("dialog-warning-symbolic", tr("Needs you"))
        }
    }
}
