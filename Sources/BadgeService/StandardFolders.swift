internal import Glibc
internal import SystemPackage

/// The folders that the XDG Base Directory Specification gives, from this process's environment.
struct StandardFolders {
    /// `$XDG_STATE_HOME/roundel`, which holds the service's one small file.
    let state: FilePath
    /// `$XDG_DATA_HOME`, then `$XDG_DATA_DIRS`, in the order in which the first find wins.
    let data: [FilePath]

    init(environment: (String) -> String? = Self.variable) {
        // An unset HOME leaves the root, which is unwritable for a person and so refused later with a sentence.
        let home = FilePath(environment("HOME") ?? "/")
        func folder(_ name: String, _ fallback: String) -> FilePath {
            // The specification has relative values ignored.
            if let value = environment(name), value.utf8.first == UInt8(ascii: "/") { return FilePath(value) }
            return home.appending(fallback)
        }
        state = folder("XDG_STATE_HOME", ".local/state").appending("roundel")
        let shared = environment("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        data =
            [folder("XDG_DATA_HOME", ".local/share")]
            + shared.split(separator: ":").filter { $0.utf8.first == UInt8(ascii: "/") }.map { FilePath(String($0)) }
    }

    /// The value of an environment variable of this process.
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
