/// Emblems in the file managers that report to nobody what they show.
struct EmblemReport: Sendable, Equatable {
    /// Those that are installed.
    let names: [String]
    /// Whether the helper is installed that writes emblems for them.
    let isInstalled: Bool
    let isRunning: Bool
    /// How the person names the command line.
    let command: String
    /// Why it could not be started.
    var problem: String?

    /// nil where it concerns nothing that is installed.
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
