/// The results of `roundel setup`.
struct SetupReport: Sendable {
    var plugins: [PluginReport]
    /// Nil if the services were not set up.
    var service: ServiceReport?
    /// Nil if they were not checked.
    var emblems: EmblemReport?
    /// The command that root still has to run.
    var command: [String]?

    var findings: [Finding] {
        var findings = plugins.map(\.finding)
        if plugins.isEmpty {
            let text = Text.noFileManager
            findings.append(Finding("plugins", .advice, text))
        }
        findings += [emblems?.finding, service?.finding].compactMap(\.self)
        if let command {
            let text = Text.runAsRoot
            findings.append(Finding("plugins", .problem, text, remedy: Administrator.text(command)))
        }
        return findings
    }

    var json: JSON {
        .object([
            .init("file_managers", .array(plugins.map(\.json))), .init("service", .optional(service, \.json)),
            .init("emblems", .optional(emblems) { .bool($0.isRunning) }),
            .init("command", .optional(command) { .string(Administrator.text($0)) }),
        ])
    }
}
