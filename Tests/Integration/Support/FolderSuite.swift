/// A suite of tests in a world with a host and a provider that has one folder.
class FolderSuite {
    let world: World
    /// The path of the folder.
    let folder: String
    let provider: FakeProvider
    let host: HostClient
    /// The URI of the folder.
    var directory: String { uri(folder) }

    /// - Parameter more: additional variables of the service's environment.
    init(more: [String: String]) throws {
        (world, folder, provider, host) = try World.withFolder(more: more)
    }

    init() throws {
        (world, folder, provider, host) = try World.withFolder()
    }
}

/// The same where the host observes the folder.
class ObservedFolderSuite: FolderSuite {
    override init(more: [String: String]) throws {
        try super.init(more: more)
        try host.begin(directory)
    }

    override init() throws {
        try super.init()
        try host.begin(directory)
    }
}
