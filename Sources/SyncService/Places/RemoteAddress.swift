internal import RoundelBus
internal import SystemPackage

/// Where a folder is kept in step, as a person writes it.
enum RemoteAddress: Equatable {
    /// A directory of this machine or a mounted share.
    case directory(FilePath)

    /// Reads `/dir` or `file:///dir`.
    /// - Throws: `UnsupportedRemote` for kinds of remotes that do not exist yet, `InvalidRemote` for anything else.
    init(_ text: String) throws(WorkerError) {
        if text.utf8.first == UInt8(ascii: "/") {
            self = .directory(FilePath(text))
        } else if text.hasPrefix("file:") {
            do {
                self = .directory(try ItemURI(text).filePath)
            } catch {
                throw WorkerError(.invalidRemote, "“\(text)” is not the URI of a directory: \(error.reason).")
            }
        } else if text.hasPrefix("webdav+") || text.hasPrefix("rclone:") {
            let kind = text.hasPrefix("rclone:") ? "rclone" : "WebDAV"
            throw WorkerError(
                .unsupportedRemote,
                "\(kind) remotes are not part of this release; use a directory, /dir or file:///dir.")
        } else {
            throw WorkerError(.invalidRemote, "“\(text)” is not a remote; use a directory, /dir or file:///dir.")
        }
    }

    /// A URI that a program can open; nil where the remote has none.
    var uri: String? {
        switch self {
        case .directory(let path): (try? ItemURI(path: path))?.uri
        }
    }
}
