internal import DBus

/// What is at an address that a person typed.
public struct SyncRemote: Record {
    /// What it is, by its word on the bus.
    public enum Kind: String, CaseIterable, Sendable {
        case webdav
        case nextcloud
        case owncloud
        case rclone
        case directory
    }

    /// What the person has to do before a folder can sync with it, by its word on the bus.
    public enum Login: String, CaseIterable, Sendable {
        /// Nothing.
        case none
        /// To log in on a page of the server.
        case page
        /// To give a password.
        case password
    }

    /// What it is.
    public var kind: WireWord<Kind>
    /// Its address, as ``FoldersProxy/addFolder(uri:remote:options:)`` takes it.
    public var remote: String
    /// The name of the directory or of the server, for people.
    public var name = ""
    /// What the person has to do.
    public var login: WireWord<Login> = "none"
    /// The path of the directory, on a server below the person's files.
    public var path = ""
    /// Whether the address has to be found again once the person has logged in.
    public var isProvisional = false
    /// The origin of the server; nil for what is none.
    public var server: String?
    /// Whose files they are; nil if that is not known.
    public var user: String?

    /// Creates a remote of this kind with this address.
    public init(kind: WireWord<Kind>, remote: String) { (self.kind, self.remote) = (kind, remote) }

    package static let blank = SyncRemote(kind: "", remote: "")

    package static let fields: [Field<SyncRemote>] = [
        .init("kind", .word(), \.kind, .needed), .init("remote", .text, \.remote, .needed),
        .init("name", .text, \.name), .init("login", .word(), \.login), .init("path", .text, \.path),
        .init("provisional", .truth, \.isProvisional), .init(optional: "server", .text, \.server),
        .init(optional: "user", .text, \.user),
    ]
}

/// A directory of a remote, to choose from.
public struct SyncRemoteDirectory: Record {
    /// Its name.
    public var name: String
    /// Its path below the remote.
    public var path: String
    /// The bytes of everything in it; nil if the server does not tell.
    public var size: UInt64?
    /// Whether there are directories in it; nil if that is not told.
    public var hasChildren: Bool?

    /// Creates a directory.
    public init(name: String, path: String, size: UInt64? = nil, hasChildren: Bool? = nil) {
        (self.name, self.path, self.size, self.hasChildren) = (name, path, size, hasChildren)
    }

    package static let blank = SyncRemoteDirectory(name: "", path: "")

    package static let fields: [Field<SyncRemoteDirectory>] = [
        .init("name", .text, \.name, .needed), .init("path", .text, \.path, .needed),
        .init(optional: "size", .count, \.size), .init(optional: "has-children", .truth, \.hasChildren),
    ]
}
