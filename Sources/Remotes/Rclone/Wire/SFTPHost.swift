/// A computer to which a remote leads by SFTP.
struct SFTPHost: Hashable, Sendable {
    var host: String
    /// The name of the user; nil for the one that rclone takes.
    var user: String?

    /// Whether a remote that leads to the other one leads where this one says.
    func isMeant(by other: SFTPHost) -> Bool {
        host.lowercased() == other.host.lowercased() && (user == nil || other.user == nil || user == other.user)
    }
}

/// A remote in rclone's settings. What else is there may be secret, and is not read.
struct ConfiguredRemote: Decodable, Sendable {
    private let type: String?
    private let address: String?
    private let user: String?

    private enum CodingKeys: String, CodingKey {
        case type, user
        case address = "host"
    }

    /// The computer; nil for a remote of another sort.
    var host: SFTPHost? {
        guard type == "sftp", let address else { return nil }
        return SFTPHost(host: address, user: user.flatMap { $0.isEmpty ? nil : $0 })
    }
}
