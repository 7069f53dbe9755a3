package import SystemPackage

/// The directories of the XDG Base Directory Specification for the environment of a process.
///
/// As the specification requires, a variable that is empty or contains a relative path counts as not set. Without a
/// home directory, directories that no variable defines are nil.
package struct BaseDirectories: Sendable {
    /// `$HOME`.
    package let home: FilePath?
    /// `$XDG_CONFIG_HOME`, by default `~/.config`.
    package let configuration: FilePath?
    /// `$XDG_DATA_HOME`, by default `~/.local/share`.
    package let data: FilePath?
    /// `$XDG_STATE_HOME`, by default `~/.local/state`.
    package let state: FilePath?
    /// `$XDG_DATA_DIRS`, by default `/usr/local/share` and `/usr/share`; the most important first.
    package let systemData: [FilePath]

    /// - Parameter variable: Returns the value of an environment variable, or nil if it is not set.
    package init(_ variable: (String) -> [UInt8]? = ProcessEnvironment.bytes) {
        let home = variable("HOME").flatMap { Self.absolutePath($0[...]) }
        func directory(_ name: String, _ fallback: FilePath) -> FilePath? {
            variable(name).flatMap { Self.absolutePath($0[...]) } ?? home?.appending(fallback.components)
        }
        self.home = home
        configuration = directory("XDG_CONFIG_HOME", ".config")
        data = directory("XDG_DATA_HOME", ".local/share")
        state = directory("XDG_STATE_HOME", ".local/state")
        let named = variable("XDG_DATA_DIRS") ?? []
        let list = named.isEmpty ? Array("/usr/local/share:/usr/share".utf8) : named
        systemData = list.split(separator: UInt8(ascii: ":")).compactMap(Self.absolutePath)
    }

    private static func absolutePath(_ bytes: ArraySlice<UInt8>) -> FilePath? {
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        let terminated = bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0]
        return FilePath(platformString: terminated)
    }
}
