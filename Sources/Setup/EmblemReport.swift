/// The state of emblems in the file managers that do not report which directories they show.
package struct EmblemReport: Sendable, Equatable {
    /// The names of the installed ones.
    package let names: [String]
    /// Whether the helper that writes emblems for them is installed.
    package let isInstalled: Bool
    /// Whether it runs.
    package let isRunning: Bool
    /// With which word the user runs `roundel`.
    let command: String
    /// Why it could not be started.
    package var problem: ServiceProblem?

    /// Nil if no installed file manager needs it.
    var finding: Finding? {
        if problem != nil { return Finding(.plugins, .problem, .emblems(self)) }
        guard !names.isEmpty else { return nil }
        if isRunning { return Finding(.plugins, .good, .emblems(self)) }
        let remedy = isInstalled ? Finding.Remedy.setUp(command: command, emblems: true) : .buildPlugins
        return Finding(.plugins, .advice, .emblems(self), remedy: remedy)
    }
}
