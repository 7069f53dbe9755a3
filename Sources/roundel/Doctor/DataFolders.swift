import SystemPackage

/// The directories of data files, as the XDG Base Directory Specification says.
enum DataFolders {
    /// The person's own; nil without a home.
    static var own: FilePath? {
        Environment.value(of: "XDG_DATA_HOME").map { FilePath($0) }
            ?? Environment.value(of: "HOME").map { FilePath($0).appending(".local").appending("share") }
    }

    /// Those of the system, the most important first.
    static var system: [FilePath] {
        let text = Environment.value(of: "XDG_DATA_DIRS") ?? ""
        return (text.isEmpty ? "/usr/local/share:/usr/share" : text).split(separator: ":").map { FilePath(String($0)) }
    }
}
