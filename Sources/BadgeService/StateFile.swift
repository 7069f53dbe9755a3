import SystemPackage

/// What the service remembers of one provider between its runs.
struct RememberedProvider: Equatable {
    /// False once the person has disabled it.
    var isEnabled = true
    /// The canonical URIs of the folders that it had registered last.
    var folders: [String] = []
}

/// The service's one small state file: which providers are enabled, and which folders each had last.
struct StateFile {
    private let path: FilePath

    init(folder: FilePath) {
        path = folder.appending("providers")
    }

    /// What the file says; empty if there is none. A damaged line costs that line alone.
    func load() -> [String: RememberedProvider] {
        guard let text = SmallFile.read(path) else { return [:] }
        let file = KeyFile(parsing: text)
        var result: [String: RememberedProvider] = [:]
        for id in file.groupNames {
            result[id] = RememberedProvider(
                isEnabled: file.string("Enabled", in: id) != "false", folders: file.list("Folders", in: id))
        }
        return result
    }

    /// Replaces the file. Canonical URIs hold neither semicolons nor backslashes, so nothing needs an escape.
    func save(_ providers: [String: RememberedProvider]) throws(Errno) {
        var text = ""
        for (id, provider) in providers.sorted(by: { $0.key < $1.key }) {
            text += "[\(id)]\nEnabled=\(provider.isEnabled)\n"
            text += "Folders=\(provider.folders.map { $0 + ";" }.joined())\n\n"
        }
        try SmallFile.replace(path, with: text)
    }
}
