internal import Rclone
internal import RoundelBus
internal import SystemPackage

/// The address of a remote, as the user enters it.
enum RemoteAddress: Equatable {
    /// A local directory or a mounted share.
    case directory(FilePath)
    /// A collection on a WebDAV server.
    case server(ServerPlace)
    /// A directory of a remote configured in rclone.
    case rclone(RcloneLocation)

    /// Reads `/dir`, `file:///dir`, `webdav+https://USER@HOST/PATH` or `rclone:NAME:PATH`.
    /// - Throws: `InvalidRemote` for anything else.
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
        } else if Self.isForRclone(text) {
            do throws(RcloneLocation.Mistake) {
                self = .rclone(try RcloneLocation(text))
            } catch {
                throw .noRcloneRemote(because: error)
            }
        } else {
            throw .noRemote(text)
        }
    }

    /// Whether a text is meant as the address of an rclone remote.
    static func isForRclone(_ text: String) -> Bool { text.hasPrefix("rclone:") }

    /// A URI that programs can open; nil if the remote has none.
    var uri: String? {
        switch self {
        case .directory(let path): (try? ItemURI(path: path))?.uri
        case .server, .rclone: nil
        }
    }
}
