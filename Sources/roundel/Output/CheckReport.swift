import Checking
import Support

/// What a check found out, rule by rule.
struct CheckReport<Rule: CheckRule> {
    let verdicts: [Verdict<Rule>]
    /// Whether the rules count that should be kept.
    let isStrict: Bool

    var passes: Bool { verdicts.passes(strictly: isStrict) }

    /// One line for each rule, and a last one.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left])
        for verdict in verdicts {
            table.append([
                Table.Cell(Self.word(verdict), Self.style(verdict)), Table.Cell(verdict.rule.rawValue, .bold),
                Table.Cell(Self.text(verdict)),
            ])
        }
        return table.lines(on: terminal) + [summary]
    }

    private static func text(_ verdict: Verdict<Rule>) -> String {
        let rule = "\(verdict.rule.sentence) [\(verdict.rule.section)]"
        switch verdict.outcome {
        case .ok: return rule
        case .failed, .notPlayed: return "\(rule) \(verdict.seen)"
        }
    }

    private static func word(_ verdict: Verdict<Rule>) -> String {
        switch verdict.outcome {
        case .ok: tr("ok")
        case .failed: verdict.rule.isRequired ? tr("failed") : tr("advice")
        case .notPlayed: tr("not played")
        }
    }

    private static func style(_ verdict: Verdict<Rule>) -> Style {
        switch verdict.outcome {
        case .ok: .green
        case .failed: verdict.rule.isRequired ? .red : .yellow
        case .notPlayed: .dim
        }
    }

    private var summary: String {
        let broken = verdicts.count { $0.outcome == .failed && ($0.rule.isRequired || isStrict) }
        return passes
            ? tr("It keeps every rule that was played.")
            : tr(broken, one: "It breaks 1 rule.", other: "It breaks {1} rules.")
    }

    /// `{"passed":…,"rules":[…]}` after other members.
    func json(_ members: [JSON.Member]) -> JSON {
        .object(
            members + [
                .init("passed", .bool(passes)),
                .init(
                    "rules",
                    .array(
                        verdicts.map { verdict in
                            .object([
                                .init("rule", .string(verdict.rule.rawValue)),
                                .init("outcome", .string(verdict.outcome.rawValue)),
                                .init("required", .bool(verdict.rule.isRequired)),
                                .init("section", .string(verdict.rule.section)),
                                .init("sentence", .string(verdict.rule.sentence)),
                                .init("seen", .string(verdict.seen)),
                            ])
                        })),
            ])
    }
}
