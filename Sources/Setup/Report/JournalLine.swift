internal import Support

/// A line that one of our services wrote to the journal.
package struct JournalLine: Sendable, Equatable {
    /// When it was written, in UTC.
    package let moment: String
    /// The name of its program.
    package let program: String
    /// How serious it is, in a word.
    package let priority: String
    /// What it says, as it was written.
    package let message: String

    /// A line with these parts.
    package init(moment: String, program: String, priority: String, message: String) {
        (self.moment, self.program, self.priority, self.message) = (moment, program, priority, message)
    }

    /// The last lines of the services of this user, the newest at the end; nil if they cannot be read.
    package static func last(_ count: Int) -> [JournalLine]? {
        let units = programs.flatMap { ["-u", "\($0).service"] } + ["-u", "roundel-mount@*.service"]
        let command =
            ["journalctl", "--user", "--quiet", "--no-pager", "--output=json", "--lines=\(count)"]
            + ["--output-fields=MESSAGE,PRIORITY,_SYSTEMD_USER_UNIT"] + units
        guard let said = ChildProgram.output(command, most: 4 << 20), said.status == 0 else { return nil }
        return said.text.split(separator: "\n").compactMap { JournalLine(json: $0.utf8) }
    }

    /// From an entry as `journalctl --output=json` prints it; nil for what is none of our services.
    init?(json: some Collection<UInt8>) {
        guard let entry = JSON(parsing: json), let message = entry.field("MESSAGE"),
            let unit = entry.field("_SYSTEMD_USER_UNIT")
        else { return nil }
        let name = String(unit.prefix { $0 != "@" && $0 != "." })
        guard Self.programs.contains(name) || name == "roundel-mount" else { return nil }
        let time = entry.field("__REALTIME_TIMESTAMP").flatMap { Int64($0) }
        moment = time.map(TimeText.utc) ?? "unknown time"
        program = name
        let number = entry.field("PRIORITY").flatMap { Int($0) }
        priority = number.flatMap { Self.priorities.indices.contains($0) ? Self.priorities[$0] : nil } ?? "unknown"
        self.message = message
    }

    private static let programs = [
        "roundeld", "roundel-worker", "roundel-git", "roundel-marks", "roundel-syncthing", "roundel-metadata",
    ]
    /// By their numbers (syslog(3)).
    private static let priorities = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"]
}

extension JSON {
    /// The text of a member of an object; nil for anything else, such as bytes that are no text.
    fileprivate func field(_ name: String) -> String? {
        guard case .object(let members) = self,
            case .string(let text)? = members.first(where: { $0.key == name })?.value
        else { return nil }
        return text
    }
}
