internal import BadgeCore
internal import SystemPackage

/// The service's one small state file: which providers are enabled, and which folders each had last.
struct StateFile {
    private let path: FilePath

    init(folder: FilePath) {
        path = folder.appending("providers")
    }

    /// What the file says; empty if there is none. A damaged line costs that line alone.
    func load() -> SavedState {
        var state = SavedState()
        guard let text = SmallFile.read(path) else { return state }
        let file = KeyFile(parsing: text)
        for group in file.groupNames {
            guard let id = ProviderID(group) else { continue }
            let folders = file.list("Folders", in: group).compactMap { try? ItemURI($0) }
            state.providers[id] = SavedState.Provider(
                enabled: file.string("Enabled", in: group) != "false",
                folders: folders.map { FolderOffer(folder: $0) })
        }
        return state
    }

    /// Replaces the file. Canonical URIs hold neither semicolons nor backslashes, so nothing needs an escape.
    func save(_ state: SavedState) throws(Errno) {
        var text = ""
        for (id, provider) in state.providers.sorted(by: { $0.key < $1.key }) {
            text += "[\(id)]\nEnabled=\(provider.enabled)\n"
            text += "Folders=\(provider.folders.map { $0.folder.uri + ";" }.joined())\n\n"
        }
        try SmallFile.replace(path, with: text)
    }
}
