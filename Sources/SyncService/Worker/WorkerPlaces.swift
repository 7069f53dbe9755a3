internal import Foundation
internal import Support
internal import SystemPackage

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

    /// Where copies are noted that are not complete yet.
    var copies: FilePath { state.appending("copies") }

    /// The directory for the state of one folder.
    func state(of id: String) -> FilePath { state.appending(id) }
}
