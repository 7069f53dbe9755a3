internal import Foundation
internal import RoundelBus
internal import Support
internal import SyncEngine
internal import SystemPackage

/// What a person chose for one synced folder. Kept apart from the database, so that losing that loses no choice.
struct FolderSettings: Codable, Equatable {
    /// Constant until the folder is removed.
    var id: String
    /// The canonical `file://` URI of the folder.
    var uri: String
    /// The remote as it was given.
    var remote: String
    /// For people.
    var label: String
    /// Whether syncing waits for Resume.
    var paused = false
    /// Patterns besides the bundled ones.
    var excludes: [String] = []
    /// Microseconds since 1970.
    var added: Int64
    /// The names of what its server was found to be capable of; nil for a directory.
    var traits: [String]?
    /// What its server was when that was found out; nil for a directory, and where it was not noted.
    var server: String?
    /// What it may have of the network; nil for the usual.
    var network: NetworkUse?
}

/// Everything that a person chose, in `$XDG_CONFIG_HOME/roundel/folders.json`.
struct WorkerSettings: Codable, Equatable {
    /// Four characters that tell this installation's conflict copies from others'.
    var tag: String
    /// In the order in which they were added.
    var folders: [FolderSettings] = []
    /// Bytes that transfers leave free on each file system; nil for the usual.
    var keepFree: Int64?
    /// Folders that are no longer synced, of which versions are kept, in the order in which they were removed; nil for none.
    var removed: [RemovedFolder]?

    /// The most bytes of the file.
    private static let limit = 16 << 20

    /// Settings of a new installation, with a tag of its own.
    init() {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        tag = String((0..<4).compactMap { _ in letters.randomElement() })
    }

    /// Reads the file; new settings if there is none.
    /// - Throws: a sentence where the file cannot be read or understood: nothing is overwritten that a person wrote.
    static func load(_ path: FilePath) throws(WorkerError) -> WorkerSettings {
        do {
            guard let bytes = try SmallFile.read(path, limit: Self.limit) else { return WorkerSettings() }
            return try JSONDecoder().decode(WorkerSettings.self, from: Data(bytes))
        } catch {
            throw .settingsUnreadable(path, because: "\(error)")
        }
    }

    /// Replaces the file, durably.
    func save(_ path: FilePath) throws(WorkerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try SmallFile.replace(path, with: Array(try encoder.encode(self)))
        } catch {
            throw .settingsNotSaved(path, because: "\(error)")
        }
    }
}

/// The directories of the worker, from the environment as the XDG Base Directory Specification says.
struct WorkerPlaces {
    /// `$XDG_CONFIG_HOME/roundel/folders.json`.
    let settings: FilePath
    /// `$XDG_STATE_HOME/roundel/worker`.
    let state: FilePath
    /// The person's home directory.
    let home: FilePath
    /// `$XDG_DATA_HOME`, which holds the desktop's trash.
    let dataHome: FilePath

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let directories = BaseDirectories { name in environment[name].map { Array($0.utf8) } }
        // Without a home these are directories that a person cannot write, which is reported when they are used.
        home = directories.home ?? "/"
        settings = (directories.configuration ?? "/").appending("roundel").appending("folders.json")
        state = (directories.state ?? "/").appending("roundel").appending("worker")
        dataHome = directories.data ?? "/"
    }

    /// The directory of one folder's state.
    func state(of id: String) -> FilePath { state.appending(id) }
}
