internal import SyncCore
internal import SyncEngine

/// A folder that is no longer synced but has kept versions, as stored in the settings.
struct RemovedFolder: Codable, Equatable {
    /// The ID that the folder had.
    var id: String
    var uri: String
    var remote: String
    var label: String
    /// Microseconds since 1970.
    var removed: Int64
    /// The identities of the two roots, as hexadecimal digits.
    var localRoot: String
    var remoteRoot: String

    /// Describes a folder that is being removed.
    init(_ folder: FolderSettings, _ roots: FolderRoots, removed: Int64) {
        self.id = folder.id
        self.uri = folder.uri
        self.remote = folder.remote
        self.label = folder.label
        self.removed = removed
        localRoot = Self.digits(roots.local)
        remoteRoot = Self.digits(roots.remote)
    }

    /// The identities of the two roots.
    var roots: (local: Token, remote: Token) { (Self.token(localRoot), Self.token(remoteRoot)) }

    private static func digits(_ token: Token) -> String {
        token.bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    private static func token(_ digits: String) -> Token {
        let bytes = Array(digits.utf8)
        return Token(
            stride(from: 0, to: bytes.count - 1, by: 2).compactMap {
                UInt8(String(decoding: bytes[$0...($0 + 1)], as: UTF8.self), radix: 16)
            })
    }
}
