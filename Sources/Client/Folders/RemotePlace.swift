package import RoundelBus
internal import Secrets

/// What a folder syncs with, as people know it: a directory, or a path on a server or a service.
package enum RemotePlace: Sendable, Equatable {
    /// A directory of this computer.
    case directory(ItemURI)
    /// A server or a service by its name, and the path that people see there; "" for all of it.
    case service(String, path: String)
    /// An address of no known form.
    case other(String)

    /// Reads the address of a remote.
    package init(_ remote: String) {
        if let directory = try? ItemURI(remote) {
            self = .directory(directory)
        } else if remote.hasPrefix("rclone:") {
            self = Self.ofService(remote.dropFirst("rclone:".count))
        } else if let account = try? RemoteAccount(remote: remote) {
            let address = Self.afterScheme(remote)
            let path = Self.path(ofAddress: address.drop { $0 != "/" })
            self = .service(String(Self.afterScheme(account.server)), path: path)
        } else {
            self = .other(remote)
        }
    }

    private static func afterScheme(_ address: String) -> Substring {
        address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
    }

    /// A remote of rclone: its name, a colon, and a path.
    private static func ofService(_ remote: Substring) -> RemotePlace {
        guard let colon = remote.firstIndex(of: ":") else { return .service(String(remote), path: "") }
        let path = remote[remote.index(after: colon)...].drop { $0 == "/" }
        return .service(String(remote[..<colon]), path: String(path))
    }

    /// The path that people see on a server. Nextcloud and ownCloud have files below a path of their own.
    private static func path(ofAddress path: Substring) -> String {
        let parts = path.split(separator: "/")
        let root =
            if let php = parts.firstIndex(of: "remote.php"), parts.dropFirst(php + 1).starts(with: ["dav", "files"]) {
                php + 4
            } else if let php = parts.firstIndex(of: "remote.php"), parts.dropFirst(php + 1).first == "webdav" {
                php + 2
            } else {
                0
            }
        let shown = parts.dropFirst(root).joined(separator: "/")
        return (try? ItemURI("file:///\(shown)")).map { String($0.displayPath.drop { $0 == "/" }) } ?? shown
    }
}
