/// How the file managers that tell nobody what they show come by emblems.
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
        let list = names.joined(separator: " and ")
        if isRunning { return Finding("plugins", .good, "\(list): emblems are on.") }
        if isInstalled {
            return Finding("plugins", .advice, "\(list): emblems are off.", remedy: "\(command) setup --emblems")
        }
        return Finding(
            "plugins", .advice, "\(list): this installation has no helper for emblems.", remedy: PluginReport.build)
    }
}
