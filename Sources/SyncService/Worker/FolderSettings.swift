internal import Foundation
internal import RoundelBus
internal import Support
internal import SyncEngine
internal import SystemPackage

/// What the user chose for one synced folder. Stored separately from the database, so that the choices survive its
/// loss.
struct FolderSettings: Codable, Equatable {
    /// Constant until the folder is removed.
    var id: String
    /// The canonical `file://` URI of the folder.
    var uri: String
    /// The remote as the user entered it.
    var remote: String
    /// The name shown to the user.
    var label: String
    /// Whether the user paused syncing.
    var paused = false
    /// The user's exclude patterns, in addition to the bundled ones.
    var excludes: [String] = []
    /// Microseconds since 1970.
    var added: Int64
    /// The names of the server's traits, as probed; nil for a directory.
    var traits: [String]?
    /// The identity of the server when it was probed; nil for a directory, and if it was not recorded.
    var server: String?
    /// How the folder may use the network; nil for the default.
    var network: NetworkUse?
}

/// All choices of the user, in `$XDG_CONFIG_HOME/roundel/folders.json`.
struct WorkerSettings: Codable, Equatable {
    /// Four characters that distinguish this installation's conflict copies from others'.
    var tag: String
    /// In the order in which they were added.
    var folders: [FolderSettings] = []
    /// The bytes that transfers leave free on each file system; nil for the default.
    var keepFree: Int64?
    /// Folders that are no longer synced but still have kept versions, in the order in which they were removed; nil for
    /// none.
    var removed: [RemovedFolder]?

    /// The maximum size of the file in bytes.
    private static let limit = 16 << 20

    /// Settings of a new installation, with a tag of its own.
    init() {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        tag = String((0..<4).compactMap { _ in letters.randomElement() })
    }

    /// Reads the file; new settings if there is none.
    /// - Throws: A sentence if the file cannot be read or parsed, so that the user's settings are not overwritten.
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

/// The directories of the worker, derived from the environment according to the XDG Base Directory Specification.
struct WorkerPlaces {
    /// `$XDG_CONFIG_HOME/roundel/folders.json`.
    let settings: FilePath
    /// `$XDG_STATE_HOME/roundel/worker`.
    let state: FilePath
    /// The user's home directory.
    let home: FilePath
    /// `$XDG_DATA_HOME`, which contains the desktop's trash.
    let dataHome: FilePath

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let directories = BaseDirectories { name in environment[name].map { Array($0.utf8) } }
        // Without a home directory, these are directories that the user cannot write. That is reported when they are
        // used.
        home = directories.home ?? "/"
        settings = (directories.configuration ?? "/").appending("roundel").appending("folders.json")
        state = (directories.state ?? "/").appending("roundel").appending("worker")
        dataHome = directories.data ?? "/"
    }

    /// The directory for the state of one folder.
    func state(of id: String) -> FilePath { state.appending(id) }
}
