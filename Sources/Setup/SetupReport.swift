/// The results of setup.
package struct SetupReport: Sendable {
    /// One for each installed file manager that was set up.
    package let plugins: [PluginReport]
    /// Nil if the services were not set up.
    package internal(set) var service: ServiceReport?
    /// Nil if they were not checked.
    package internal(set) var emblems: EmblemReport?
    /// The command that root still has to run.
    package internal(set) var command: [String]?

    init(plugins: [PluginReport], command: [String]? = nil) {
        self.plugins = plugins
        self.command = command
    }

    /// What the results mean.
    package var findings: [Finding] {
        var findings = plugins.map(\.finding)
        if plugins.isEmpty { findings.append(Finding(.plugins, .advice, .noFileManager)) }
        findings += [emblems?.finding, service?.finding].compactMap(\.self)
        if let command {
            findings.append(Finding(.plugins, .problem, .needsAdministrator, remedy: .runAsRoot(command)))
        }
        return findings
    }
}
