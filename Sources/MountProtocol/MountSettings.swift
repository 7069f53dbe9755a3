internal import Support
package import SystemPackage

/// Which folder is mounted where: a file for each, with a line for each value, whose paths are percent-coded.
package struct MountSettings: Hashable, Sendable {
    /// Where programs see the folder.
    package let folder: FilePath
    /// The directory behind it, on the same file system.
    package let contents: FilePath

    /// The largest file, in bytes.
    private static let limit = 32 << 10

    package init(folder: FilePath, contents: FilePath) {
        self.folder = folder
        self.contents = contents
    }

    /// Nil if a value is missing or no absolute path.
    package init?(text: String) {
        var values: [Substring: FilePath] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let bytes = PercentCoding.decode(parts[1]), bytes.first == UInt8(ascii: "/") else {
                continue
            }
            values[parts[0]] = FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
        }
        guard let folder = values["folder"], let contents = values["contents"] else { return nil }
        self.init(folder: folder, contents: contents)
    }

    /// What the file holds.
    package var text: String {
        func coded(_ path: FilePath) -> String {
            PercentCoding.encode(path: path.withPlatformString { String(cString: $0).utf8.map(\.self) })
        }
        return "folder=\(coded(folder))\ncontents=\(coded(contents))\n"
    }

    /// - Throws: The error of the system if the file cannot be read.
    package static func read(_ file: FilePath) throws(Errno) -> MountSettings? {
        guard let bytes = try SmallFile.read(file, limit: limit) else { throw .noSuchFileOrDirectory }
        return MountSettings(text: String(decoding: bytes, as: UTF8.self))
    }
}

/// Where the settings and the socket of a mounted folder are.
package struct MountPlaces: Hashable, Sendable {
    /// The file of the settings.
    package let settings: FilePath
    /// Where the worker reports.
    package let socket: FilePath

    /// The largest name: a socket's path has 107 bytes.
    private static let nameLimit = 40

    /// - Parameter name: What the folder is called among all that are mounted: letters, digits and `-._`.
    /// - Returns: Nil for no such name, or without a directory for state or for what runs.
    package init?(name: String, _ variable: (String) -> [UInt8]? = ProcessEnvironment.bytes) {
        guard !name.isEmpty, name.utf8.count <= Self.nameLimit, name.first != ".", name.first != "-" else { return nil }
        guard name.utf8.allSatisfy({ PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }) else { return nil }
        guard let state = BaseDirectories(variable).state, let bytes = variable("XDG_RUNTIME_DIR"),
            bytes.first == UInt8(ascii: "/")
        else { return nil }
        let runtime = FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
        settings = state.appending("roundel").appending("mounts").appending(name)
        socket = runtime.appending("roundel").appending("mounts").appending(name)
    }
}
