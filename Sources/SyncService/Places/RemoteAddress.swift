internal import RoundelBus
internal import SystemPackage

/// What a folder is synced with, as a person writes it.
enum RemoteAddress: Equatable {
    /// A directory of this machine or a mounted share.
    case directory(FilePath)
    /// A collection on a WebDAV server.
    case server(ServerPlace)

    /// Reads `/dir`, `file:///dir` or `webdav+https://USER@HOST/PATH`.
    /// - Throws: `UnsupportedRemote` for kinds of remotes that do not exist yet, `InvalidRemote` for anything else.
    init(_ text: String) throws(WorkerError) {
        if text.utf8.first == UInt8(ascii: "/") {
            self = .directory(FilePath(text))
        } else if text.hasPrefix("file:") {
            do {
                self = .directory(try ItemURI(text).filePath)
            } catch {
                throw .noDirectoryURI(text, because: error.reason)
            }
        } else if text.hasPrefix("webdav+") {
            self = .server(try ServerPlace(text))
        } else if text.hasPrefix("rclone:") {
            throw .noRclone
        } else {
            throw .noRemote(text)
        }
    }

    /// A URI that a program can open; nil where the remote has none.
    var uri: String? {
        switch self {
        case .directory(let path): (try? ItemURI(path: path))?.uri
        case .server: nil
        }
    }
}
