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
    /// OpenSSH, with a key for a login.
    case ssh
    /// Objects behind S3's protocol: a move is a copy, and times are those of the upload.
    case s3

    var testDescription: String { rawValue }

    /// Whether the package is installed with which all of them come.
    static let areInstalled = access("/usr/bin/rclone", X_OK) == 0

    /// Those of which the server is here as well.
    static var installed: [CloudKind] { allCases.filter { !$0.needsServer || $0.program != nil } }

    /// Whether something else than rclone keeps what is in it.
    var needsServer: Bool {
        switch self {
        case .directory, .folding, .objects, .written: false
        case .sftp, .ssh, .s3: true
        }
    }

    /// Where the program of its server is; nil where that is not installed, or none is needed.
    var program: String? {
        let fetched = getenv("ROUNDEL_SERVERS").map { String(cString: $0) }
        let places =
            switch self {
            case .directory, .folding, .objects, .written: [String?]()
            case .sftp: ["/usr/bin/rclone"]
            case .ssh: ["/usr/sbin/sshd", fetched.map { $0 + "/openssh/usr/sbin/sshd" }]
            case .s3: [fetched.map { $0 + "/moto/bin/moto_server" }]
            }
        return places.compactMap { $0 }.first { access($0, X_OK) == 0 }
    }

    /// Whether the first part of a path is a bucket, and a directory is there because something is in it.
    var isBucket: Bool {
        switch self {
        case .objects, .written, .s3: true
        case .directory, .folding, .sftp, .ssh: false
        }
    }

    /// The path of the place on the remote.
    var place: String { isBucket ? "bucket" : "place" }

    /// The settings of the remote; the place is in `files` of a directory.
    func settings(in directory: String, port: UInt16) -> String {
        switch self {
        case .directory: "[base]\ntype = local\n[cloud]\ntype = alias\nremote = base:\(directory)/files\n"
        case .folding:
            """
            [base]
            type = local
            case_insensitive = true
            [cloud]
            type = alias
            remote = base:\(directory)/files

            """
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
        case .ssh:
            // Two more, of which one expects another server, and one is not let in.
            [("cloud", "key", "known-hosts"), ("stranger", "key", "other-hosts"), ("nobody", "host", "known-hosts")]
                .map { name, key, hosts in
                    """
                    [\(name)]
                    type = sftp
                    host = 127.0.0.1
                    port = \(port)
                    user = \(CloudServer.account)
                    key_file = \(directory)/\(key)
                    known_hosts_file = \(directory)/\(hosts)

                    """
                }.joined()
        case .s3:
            // One more that sends large files in parts. Of what these became, moto tells a version that it does not know
            // when it is asked for it, as rclone does unless it is told not to.
            [("cloud", ""), ("parts", "upload_cutoff = 5Mi\nchunk_size = 5Mi\nno_head = true\n")]
                .map { name, more in
                    """
                    [\(name)]
                    type = s3
                    provider = Other
                    endpoint = http://127.0.0.1:\(port)
                    access_key_id = user
                    secret_access_key = secret
                    region = us-east-1
                    force_path_style = true
                    \(more)

                    """
                }.joined()
        }
    }

    /// “secret”, as `rclone obscure` writes it.
    private static let obscuredPassword = "7ExPcNNIWp2ma5jwsdb3-Y5Wnha34Q"
}
