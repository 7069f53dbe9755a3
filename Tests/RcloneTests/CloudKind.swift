import Glibc
import Testing

/// A backend of rclone that needs nobody's account.
enum CloudKind: String, CaseIterable, CustomTestStringConvertible {
    /// A directory.
    case directory
    /// A directory of which names that differ in case alone are one.
    case folding
    /// Objects in memory: neither empty directories nor moves.
    case objects
    /// The same, and what is there cannot be copied either.
    case written
    /// An SFTP server of rclone's own: coarse times and no hashes.
    case sftp

    var testDescription: String { rawValue }

    /// Whether the package is installed with which all of them come.
    static let areInstalled = access("/usr/bin/rclone", X_OK) == 0

    /// The name of the remote and the path of the place.
    var address: String {
        switch self {
        case .directory, .folding: "rclone:cloud:place"
        case .objects, .written: "rclone:cloud:bucket"
        case .sftp: "rclone:cloud:place"
        }
    }

    /// The settings of the remote; the place is in `files`.
    func settings(files: String, port: UInt16) -> String {
        switch self {
        case .directory: "[base]\ntype = local\n[cloud]\ntype = alias\nremote = base:\(files)\n"
        case .folding:
            "[base]\ntype = local\ncase_insensitive = true\n[cloud]\ntype = alias\nremote = base:\(files)\n"
        case .objects, .written: "[cloud]\ntype = memory\n"
        case .sftp:
            """
            [cloud]
            type = sftp
            host = 127.0.0.1
            port = \(port)
            user = user
            pass = \(Self.obscuredPassword)
            shell_type = none
            disable_hashcheck = true

            """
        }
    }

    /// “secret”, as `rclone obscure` writes it.
    private static let obscuredPassword = "7ExPcNNIWp2ma5jwsdb3-Y5Wnha34Q"
}
