/// A rule of the specification that can be seen from outside.
package protocol CheckRule: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The rule, as a sentence for a person.
    var sentence: String { get }
    /// The section of Documentation/specification.md that it is in.
    var section: String { get }
    /// Whether the rule must be kept; false if it should be.
    var isRequired: Bool { get }
}

/// How a rule was kept.
package enum CheckOutcome: String, Sendable, Equatable {
    case ok
    case failed
    /// Nothing that was seen says anything about it.
    case notPlayed = "not-played"
}

/// What is said of one rule.
package struct Verdict<Rule: CheckRule>: Sendable, Equatable {
    /// The rule.
    package let rule: Rule
    /// How it was kept.
    package let outcome: CheckOutcome
    /// What was seen, as a sentence; with ``CheckOutcome/notPlayed`` why nothing was.
    package let seen: String
}

extension Sequence {
    /// Whether no rule that must be kept was broken, and none that should be if they count.
    package func passes<Rule: CheckRule>(strictly: Bool) -> Bool where Element == Verdict<Rule> {
        !contains { $0.outcome == .failed && (strictly || $0.rule.isRequired) }
    }
}

/// Collects what was seen of each rule. The first fault counts, however much was right.
struct Scorebook<Rule: CheckRule>: Sendable {
    private var kept: [Rule: Int] = [:]
    private var faults: [Rule: String] = [:]
    private var reasons: [Rule: String] = [:]

    /// Notes that the rule was kept once.
    mutating func keep(_ rule: Rule) { kept[rule, default: 0] += 1 }

    /// Notes a fault.
    /// - Parameter seen: What was seen, as a sentence.
    mutating func fail(_ rule: Rule, _ seen: String) {
        if faults[rule] == nil { faults[rule] = seen }
    }

    /// Notes why the rule may not be played.
    mutating func skip(_ rule: Rule, _ reason: String) { reasons[rule] = reason }

    /// Notes whether the rule was kept.
    mutating func judge(_ rule: Rule, _ isKept: Bool, _ seen: @autoclosure () -> String) {
        if isKept { keep(rule) } else { fail(rule, seen()) }
    }

    /// All rules in their order.
    /// - Parameter idle: Why a rule was not played of which nothing was noted.
    func verdicts(idle: String) -> [Verdict<Rule>] {
        Rule.allCases.map { rule in
            if let fault = faults[rule] { return Verdict(rule: rule, outcome: .failed, seen: fault) }
            guard let count = kept[rule] else {
                return Verdict(rule: rule, outcome: .notPlayed, seen: reasons[rule] ?? idle)
            }
            return Verdict(rule: rule, outcome: .ok, seen: Seen.times(count))
        }
    }
}
