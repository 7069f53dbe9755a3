internal import SystemPackage

/// The result of `roundel setup` for one file manager.
package struct PluginReport: Sendable, Equatable {
    /// When a file manager has the plugin, by its word in JSON.
    package enum State: String, Sendable {
        /// Every running process of it has the plugin.
        case ready
        /// The next process will have it.
        case nextStart = "next-start"
        /// It finds the plugin from the next session on.
        case nextLogin = "next-login"
        /// Root has to put the plugin where it looks, or to take it away.
        case administrator = "needs-administrator"
        /// This installation has no plugin for it.
        case notBuilt = "not-built"
        /// It is not known where it looks for plugins.
        case placeUnknown = "unknown-place"
        /// It finds no plugin of this installation any more.
        case removed
        /// The same, but a process that runs has it still.
        case removedAtNextStart = "removed-next-start"
        /// It finds a plugin that setup did not put there.
        case stays
    }

    /// The file manager.
    package let manager: SupportedFileManager
    /// When it has the plugin.
    package let state: State
    /// Whether a process of it runs.
    package let isRunning: Bool
    /// What gives this installation a plugin for it, if it has none.
    private var remedy: Finding.Remedy?

    /// After setting up.
    /// - Parameter running: The processes that run now.
    init(_ found: InstalledFileManager, _ variables: SessionVariables, running: [RunningProcess]) {
        let processes = running.filter { $0.program == found.program }
        manager = found.manager
        isRunning = !processes.isEmpty
        switch found.standing {
        case .inPlace, .named:
            let loaded = processes.filter(found.isLoaded)
            // What a file manager starts is a copy of it for a moment, and may be another program by now.
            let isLoadedByAll = processes.allSatisfy { loaded.contains($0) || !$0.isThere }
            state = !loaded.isEmpty && isLoadedByAll ? .ready : .nextStart
        case .notBuilt:
            state = .notBuilt
            remedy = found.remedyForNoPlugin
        case .placeUnknown: state = .placeUnknown
        case .missing, .outdated:
            let isNamed = found.manager.variable.map { variables.directories[$0] != nil } ?? false
            state = isNamed ? .nextLogin : .administrator
        }
    }

    /// After taking away.
    /// - Parameter isLinked: Whether the system's directories lead to the plugin still.
    init(removed found: InstalledFileManager, isLinked: Bool, running: [RunningProcess]) {
        let processes = running.filter { $0.program == found.program }
        manager = found.manager
        isRunning = !processes.isEmpty
        if isLinked {
            state = .administrator
        } else if found.standing == .inPlace {
            state = .stays
        } else {
            state = processes.contains(where: found.isLoaded) ? .removedAtNextStart : .removed
        }
    }

    var finding: Finding {
        let verdict: Finding.Verdict =
            switch state {
            case .ready, .nextStart, .nextLogin, .removed, .stays, .removedAtNextStart: .good
            case .administrator, .notBuilt, .placeUnknown: .problem
            }
        return Finding(.plugins, verdict, .plugin(self), remedy: remedy)
    }

    /// What ends its process, where one runs that goes on without a window.
    package var quit: String? { isRunning ? manager.quit : nil }
}

extension InstalledFileManager {
    /// Whether a process of it has the plugin. Of several libraries the first counts: the others come when they are used.
    fileprivate func isLoaded(in process: RunningProcess) -> Bool {
        libraries.first.map { process.hasLoaded($0.file) } ?? false
    }
}
