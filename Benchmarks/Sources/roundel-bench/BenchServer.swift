internal import Glibc

/// A WebDAV server on this computer, with a login, whose files are looked at where they are.
final class BenchServer {
    enum Kind: String, CaseIterable {
        case apache = "Apache mod_dav"
        case nextcloud = "our Nextcloud"
        case rclone = "`rclone serve webdav`"

        /// Whether it changes nothing but the version that a request names.
        var isConditional: Bool {
            switch self {
            case .apache, .nextcloud: true
            case .rclone: false
            }
        }
    }

    static let user = "user"
    static let password = "secret"

    let kind: Kind
    private let directory: TemporaryDirectory
    private let port: UInt16
    private let program: Child

    /// Starts one and waits until it answers.
    init(_ kind: Kind) throws {
        self.kind = kind
        directory = try TemporaryDirectory()
        port = try Self.freePort()
        let place = directory.path
        guard chmod(place, 0o755) == 0, mkdir(place + "/files", 0o755) == 0 else { throw Failure("no place for files") }
        if kind == .apache, getuid() == 0, let account = getpwnam("www-data") {
            for name in ["", "/files"] { chown(place + name, account.pointee.pw_uid, account.pointee.pw_gid) }
        }
        program = try Child(Self.command(kind, place, port), environment: ["HOME": place])
        let port = port
        guard wait(seconds: 60, step: 20_000, until: { Self.isAnswered(port) }) else {
            throw Failure("\(kind.rawValue) does not answer")
        }
    }

    deinit { program.end() }

    // MARK: What is on it

    /// Of one of its directories; of its files without a name.
    func address(_ name: String = "") -> String { "http://127.0.0.1:\(port)\(base)/\(name)" }

    /// Where it begins, for its own client.
    var origin: String { "http://127.0.0.1:\(port)" }

    private var base: String { kind == .nextcloud ? "/remote.php/dav/files/\(Self.user)" : "" }

    func makeDirectory(_ name: String) throws {
        _ = try Child.output(["curl", "-sSf", "-u", Self.login, "-X", "MKCOL", address(name) + "/"])
    }

    static var login: String { "\(user):\(password)" }

    /// How many files are in one of its directories, without what a client keeps there for itself.
    func count(in name: String) throws -> Int {
        let text = try Child.output([
            "sh", "-c", "find \"$1\" -name '.*' -prune -o -type f -print | wc -l", "count",
            directory.path + "/files/" + name,
        ])
        return Int(text.filter(\.isNumber)) ?? 0
    }

    // MARK: Its process

    private static func command(_ kind: Kind, _ place: String, _ port: UInt16) throws -> [String] {
        switch kind {
        case .apache:
            // The SHA-1 of the password.
            try Files.write(Array("\(user):{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n".utf8), to: place + "/accounts")
            chmod(place + "/accounts", 0o644)
            try Files.write(Array(apache(place, port).utf8), to: place + "/httpd.conf")
            return ["/usr/sbin/apache2", "-d", place, "-f", place + "/httpd.conf", "-DFOREGROUND"]
        case .nextcloud:
            try Files.write(Array(password.utf8), to: place + "/password")
            let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            return [
                "/usr/bin/python3", root + "/Tests/Nextcloud/server.py", "--files", place + "/files", "--address",
                "127.0.0.1:\(port)", "--user", user, "--password-file", place + "/password",
            ]
        case .rclone:
            return [
                "rclone", "serve", "webdav", place + "/files", "--addr", "127.0.0.1:\(port)", "--user", user, "--pass",
                password, "--etag-hash", "MD5", "--config", place + "/none",
            ]
        }
    }

    private static func apache(_ place: String, _ port: UInt16) -> String {
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs",
            "dav_lock",
        ].map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n")
        return """
            \(modules)
            ServerName localhost
            Listen 127.0.0.1:\(port)
            PidFile \(place)/pid
            ErrorLog \(place)/log
            DocumentRoot \(place)/files
            DavLockDB \(place)/locks
            # Without a limit on the requests of a connection, which would be made anew.
            MaxKeepAliveRequests 0
            \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
            <Directory \(place)/files>
              Dav On
              AuthType Basic
              AuthName bench
              AuthUserFile \(place)/accounts
              Require valid-user
            </Directory>

            """
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        name.sin_port = port.bigEndian
        return name
    }

    /// Does something with a socket and an address.
    private static func use(
        _ port: UInt16, _ body: (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
    ) -> UInt16? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var name = address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isDone = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor, $0, &length) }
        }
        return isDone ? UInt16(bigEndian: name.sin_port) : nil
    }

    private static func freePort() throws -> UInt16 {
        let found = use(0) { bind($0, $1, $2) == 0 && getsockname($0, $1, &$2) == 0 }
        guard let found else { throw Failure("no free port") }
        return found
    }

    private static func isAnswered(_ port: UInt16) -> Bool { use(port) { connect($0, $1, $2) == 0 } != nil }
}
