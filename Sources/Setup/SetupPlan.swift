internal import SystemPackage

/// The steps with which a user's file managers find their plugins.
package struct SetupPlan: Sendable, Equatable {
    /// The new contents of the file of session variables.
    package private(set) var variables: SessionVariables
    /// The file managers whose plugins root has to install in the system's directories.
    package private(set) var administrator: [SupportedFileManager] = []

    /// - Parameters:
    ///   - managers: The file managers to set up; variables for others do not change.
    ///   - current: The current contents of the file of session variables.
    ///   - reachesPrograms: Whether the programs of this desktop get these variables.
    init(_ managers: [InstalledFileManager], current: SessionVariables, reachesPrograms: Bool) {
        variables = current
        for manager in managers {
            switch manager.standing {
            case .inPlace, .notBuilt, .placeUnknown:
                // A plugin found in two places would be loaded twice.
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

    /// The plan that removes everything for these file managers.
    /// - Parameter linked: Those whose plugins root has installed in the system's directories.
    init(removing managers: [SupportedFileManager], current: SessionVariables, linked: [SupportedFileManager]) {
        variables = current
        for manager in managers { forget(manager) }
        administrator = linked
    }

    private mutating func forget(_ manager: SupportedFileManager) {
        if let variable = manager.variable { variables.directories[variable] = nil }
    }
}
