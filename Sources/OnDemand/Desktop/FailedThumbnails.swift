internal import Glibc
internal import MountProtocol
internal import Support
internal import SystemPackage

/// What desktops remember of files of which no thumbnail could be made: an empty picture for each, below the directory of
/// the person's thumbnails, named by the digest of the file's URI (the Thumbnail Managing Standard of freedesktop.org).
///
/// A file whose contents were refused to a thumbnailer is remembered so, and its date does not change when they come.
struct FailedThumbnails: Sendable {
    /// Where each program has a directory of its own.
    private let directory: FilePath
    private let folder: [UInt8]

    /// - Parameter folder: The path of the mounted folder.
    /// - Returns: Nil if there is no directory for what is cached.
    init?(of folder: [UInt8], _ variable: (String) -> String? = ProcessEnvironment.valid) {
        let named = variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
        guard let cache = named ?? home else { return nil }
        directory = FilePath(cache + "/thumbnails/fail")
        self.folder = folder
    }

    /// Has every program try an item again. Whatever fails, it is shown without a thumbnail as before.
    /// - Parameter path: Where it is below the folder.
    func forget(_ path: some Collection<UInt8>) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let failures = directory.withPlatformString { open($0, flags) }
        guard failures >= 0 else { return }
        let programs = BackingFile(owning: failures)
        guard let name = NodeName(Self.entry(for: folder + [UInt8(ascii: "/")] + path)),
            let names = try? programs.names()
        else { return }
        for program in names {
            guard let own = try? BackingPlace.entry(programs, program).open(flags) else { continue }
            _ = name.withPointer { unlinkat(own.raw, $0, 0) }
        }
    }

    /// What the picture for a file is called.
    private static func entry(for path: [UInt8]) -> [UInt8] { Array((MD5.text(of: uri(of: path)) + ".png").utf8) }

    /// The URI of a file as GLib writes it, which leaves more characters alone than others do.
    static func uri(of path: [UInt8]) -> [UInt8] {
        var uri = Array("file://".utf8)
        for byte in path {
            if unescaped.contains(byte) { uri.append(byte) } else { PercentCoding.append(byte, to: &uri) }
        }
        return uri
    }

    private static let unescaped = Set("!$&'()*+,/:=@".utf8)
}
