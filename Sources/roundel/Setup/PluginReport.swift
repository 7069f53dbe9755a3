import SystemPackage

/// The result of `roundel setup` for one file manager.
struct PluginReport: Sendable, Equatable {
    enum State: String, Sendable {
        /// Every running process of it has the plugin.
        case ready
        /// The next process will have it.
        case nextStart = "next-start"
        /// It finds the plugin from the next session on.
        case nextLogin = "next-login"
        /// Root has to put the plugin where it looks, or to take it away.
        case administrator = "needs-administrator"
        case notBuilt = "not-built"
        case placeUnknown = "unknown-place"
        /// It finds no plugin of this installation any more.
        case removed
        /// The same, but a process that runs has it still.
        case removedAtNextStart = "removed-next-start"
        /// It finds a plugin that setup did not put there.
        case stays
    }

    let manager: SupportedFileManager
    let state: State
    /// Whether a process of it runs.
    let isRunning: Bool

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
        case .notBuilt: state = .notBuilt
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

    var json: JSON {
        .object([
            .init("id", .string(manager.program)), .init("name", .string(manager.name)),
            .init("state", .string(state.rawValue)), .init("running", .bool(isRunning)),
        ])
    }

    var finding: Finding {
        let name = manager.name
        return switch state {
        case .ready: Finding("plugins", .good, Text.pluginReady(name))
        case .nextStart: Finding("plugins", .good, Text.pluginNextStart(name, quit: quit))
        case .nextLogin: Finding("plugins", .good, Text.pluginNextLogin(name))
        case .administrator: Finding("plugins", .problem, Text.pluginNeedsRoot(name))
        case .notBuilt: Finding("plugins", .problem, Text.pluginNotBuilt(name), remedy: Text.buildPlugins)
        case .placeUnknown: Finding("plugins", .problem, Text.pluginPlaceUnknown(name))
        case .removed: Finding("plugins", .good, Text.pluginRemoved(name))
        case .stays: Finding("plugins", .good, Text.pluginStays(name))
        case .removedAtNextStart: Finding("plugins", .good, Text.pluginRemovedAtNextStart(name, quit: quit))
        }
    }

    /// What ends its process, where one runs that goes on without a window.
    private var quit: String? { isRunning ? manager.quit : nil }
}

extension InstalledFileManager {
    /// Whether a process of it has the plugin. Of several libraries the first counts: the others come when they are used.
    fileprivate func isLoaded(in process: RunningProcess) -> Bool {
        libraries.first.map { process.hasLoaded($0.file) } ?? false
    }
}
