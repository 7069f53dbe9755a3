import SystemPackage

/// What has to be done so that a person's file managers find their plugins.
struct SetupPlan: Sendable, Equatable {
    /// What the file of session variables is to say.
    private(set) var variables: SessionVariables
    /// The file managers whose plugins root has to put into the system's directories.
    private(set) var administrator: [SupportedFileManager] = []

    /// - Parameters:
    ///   - managers: Those to set up; what the variables say about others stays.
    ///   - current: What the file of session variables says now.
    ///   - reachesPrograms: Whether the programs of this desktop get these variables.
    init(_ managers: [InstalledFileManager], current: SessionVariables, reachesPrograms: Bool) {
        variables = current
        for manager in managers {
            switch manager.standing {
            case .inPlace, .notBuilt, .placeUnknown:
                // Found twice, a plugin would be loaded twice.
                forget(manager.manager)
            case .named:
                if let variable = manager.manager.variable, current.directories[variable] != nil {
                    variables.directories[variable] = manager.directoryToName
                }
            case .outdated:
                forget(manager.manager)
                administrator.append(manager.manager)
            case .missing:
                let isNamed = manager.manager.variable.map { current.directories[$0] != nil } ?? false
                if reachesPrograms || isNamed, let variable = manager.manager.variable,
                    let directory = manager.directoryToName, SessionVariables.canHold(directory)
                {
                    variables.directories[variable] = directory
                } else {
                    administrator.append(manager.manager)
                }
            }
        }
    }

    /// The plan that takes everything away for these file managers.
    /// - Parameter linked: Those that root put plugins into the system's directories for.
    init(removing managers: [SupportedFileManager], current: SessionVariables, linked: [SupportedFileManager]) {
        variables = current
        for manager in managers { forget(manager) }
        administrator = linked
    }

    private mutating func forget(_ manager: SupportedFileManager) {
        if let variable = manager.variable { variables.directories[variable] = nil }
    }
}
