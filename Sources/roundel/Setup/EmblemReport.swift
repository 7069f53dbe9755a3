/// The state of emblems in the file managers that do not report which directories they show.
struct EmblemReport: Sendable, Equatable {
    /// The installed ones.
    let names: [String]
    /// Whether the helper that writes emblems for them is installed.
    let isInstalled: Bool
    let isRunning: Bool
    /// The command with which the user runs `roundel`.
    let command: String
    /// Why it could not be started.
    var problem: String?

    /// Nil if no installed file manager needs it.
    var finding: Finding? {
        if let problem { return Finding("plugins", .problem, problem) }
        guard !names.isEmpty else { return nil }
        if isRunning { return Finding("plugins", .good, Text.emblemsOn(names)) }
        if isInstalled {
            return Finding("plugins", .advice, Text.emblemsOff(names), remedy: "\(command) setup --emblems")
        }
        return Finding(
            "plugins", .advice, Text.emblemsNotBuilt(names), remedy: Text.buildPlugins)
    }
}
