internal import SystemPackage

/// The worker's settings and their file. A change that cannot be saved has no effect: callers apply a change only after
/// it was saved.
struct SettingsFile {
    /// The contents of the file.
    private(set) var current: WorkerSettings
    private let path: FilePath

    /// Reads the file; new settings if there is none.
    init(_ path: FilePath) throws(WorkerError) {
        self.path = path
        current = try WorkerSettings.load(path)
    }

    /// Changes the settings and saves them, durably.
    mutating func change(_ body: (inout WorkerSettings) -> Void) throws(WorkerError) {
        var changed = current
        body(&changed)
        if changed == current { return }
        try changed.save(path)
        current = changed
    }
}
