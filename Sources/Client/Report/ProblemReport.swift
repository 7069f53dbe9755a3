package import Setup
internal import Support

/// What somebody who looks into a problem needs to know of this computer, and nothing of what is synced or with whom.
///
/// It is in English, as bug trackers are, and stands in plain text, so that everybody can read it before it goes anywhere.
package struct ProblemReport: Sendable {
    package let release: String
    package let system: SystemFacts
    /// Nil if they are not known.
    package let folders: [FolderFactsRow]?
    package let checks: [CheckedFact]
    /// Nil if the journal cannot be read.
    package let log: [JournalLine]?

    /// A report of these facts.
    package init(
        release: String, system: SystemFacts, folders: [FolderFactsRow]?, checks: [CheckedFact], log: [JournalLine]?
    ) {
        (self.release, self.system, self.folders) = (release, system, folders)
        (self.checks, self.log) = (checks, log)
    }

    /// The whole text, which ends with a line feed.
    package func text(_ redaction: Redaction = .ofOwnWords) -> String {
        var lines = ["Roundel \(release)", "Distribution: \(system.distribution)", "Kernel: \(system.kernel)"]
        lines += ["Desktop: \(system.desktop)", "File managers: \(list(system.fileManagers))", ""]
        if let folders {
            lines.append("Folders: \(folders.count)")
            lines += folders.map { $0.line(redaction) }
        } else {
            lines.append("Folders: not known, the sync worker does not answer")
        }
        lines += ["", "Checks:"]
        lines += checks.map { check in
            let said = check.reason.map { " (\(redaction.redacted($0)))" } ?? ""
            return "- \(check.verdict) \(check.subject): \(check.fact)\(said)"
        }
        lines += ["", "Log:"]
        if let log {
            lines += log.isEmpty ? ["(empty)"] : log.map { line($0, redaction) }
        } else {
            lines.append("(the journal cannot be read)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    private func line(_ entry: JournalLine, _ redaction: Redaction) -> String {
        let program = Redaction.programs.contains(entry.program) ? entry.program : "<name>"
        // The line begins with the name of the program, which stands there already.
        let said = redaction.redacted(entry.message)
        let prefix = program + ": "
        return "\(entry.moment) \(program) \(entry.priority): "
            + (said.hasPrefix(prefix) ? String(said.dropFirst(prefix.count)) : said)
    }
}
