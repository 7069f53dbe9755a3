/// What `roundel setup` has to say.
struct SetupReport: Sendable {
    var plugins: [PluginReport]
    /// nil where the services were not meant.
    var service: ServiceReport?
    /// nil where they were not looked at.
    var emblems: EmblemReport?
    /// What root has to run still.
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
