/// The user's choices for one folder as they are now, shared by everything that belongs to the folder.
final class FolderChoices {
    private(set) var settings: FolderSettings

    init(_ settings: FolderSettings) { self.settings = settings }

    /// Replaces them; returns the former ones.
    func replace(with changed: FolderSettings) -> FolderSettings {
        defer { settings = changed }
        return settings
    }
}
