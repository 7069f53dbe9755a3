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

    /// A version of HTTP; an Apache that is reached over a line offers both, encrypted.
    enum Version: String, CaseIterable {
        case one = "HTTP/1.1"
        case two = "HTTP/2"

        fileprivate var curlOption: String {
            switch self {
            case .one: "--http1.1"
            case .two: "--http2"
            }
        }
    }

    static let user = "user"
    static let password = "secret"

    let kind: Kind
    private let directory: TemporaryDirectory
    private let port: UInt16
    private let program: Child
    /// The line at whose far end it is; nil at the harness' own network.
    private let line: Line?

    /// Starts one and waits until it answers.
    init(_ kind: Kind, at line: Line? = nil) throws {
        self.kind = kind
        self.line = line
        directory = try TemporaryDirectory()
        port = try Self.freePort()
        let place = directory.path
        guard chmod(place, 0o755) == 0, mkdir(place + "/files", 0o755) == 0 else { throw Failure("no place for files") }
        if kind == .apache, getuid() == 0, let account = getpwnam("www-data") {
            for name in ["", "/files"] { chown(place + name, account.pointee.pw_uid, account.pointee.pw_gid) }
        }
        if line != nil { try Self.makeCertificate(place) }
        let command = try Self.command(kind, place, port, isFar: line != nil)
        program = try Child(line?.far(command) ?? command, environment: ["HOME": place])
        guard wait(seconds: 60, step: 20_000, until: { isAnswered }) else {
            throw Failure("\(kind.rawValue) does not answer")
        }
    }

    deinit { program.end() }

    // MARK: What is on it

    /// Of one of its directories; of its files without a name.
    func address(_ name: String = "") -> String { "\(origin)\(base)/\(name)" }

    /// Where it begins, for its own client.
    var origin: String { line == nil ? "http://127.0.0.1:\(port)" : "https://\(Line.farAddress):\(port)" }

    /// An address as the worker wants it, with the login.
    func login(_ address: String) -> String { "webdav+" + address.replacing("://", with: "://\(Self.user)@") }

    /// The file with the authority that signed its certificate.
    var authority: String { directory.path + "/certificate" }

    private var base: String { kind == .nextcloud ? "/remote.php/dav/files/\(Self.user)" : "" }

    func makeDirectory(_ name: String) throws {
        _ = try Child.output(curl(["-X", "MKCOL", address(name) + "/"]))
    }

    /// curl with the login, from where clients are.
    func curl(_ arguments: [String], over version: Version = .one) -> [String] {
        let command = ["curl", "-sSf", "-u", "\(Self.user):\(Self.password)", version.curlOption]
        guard let line else { return command + arguments }
        return line.near(command + ["--cacert", authority] + arguments)
    }

    /// Has a file or a directory there at once, as if others had brought it.
    func put(_ files: String, at name: String) throws {
        let (made, target) = (directory.path + "/made", directory.path + "/files/" + name)
        _ = try Child.output(["cp", "-a", files, made])
        if getuid() == 0 { _ = try Child.output(["chown", "-R", "--reference", directory.path + "/files", made]) }
        guard rename(made, target) == 0 else { throw Failure("cannot put anything at \(target)") }
    }

    /// The versions of HTTP in which clients other than one have asked.
    func versions(besides client: String) throws -> [String] {
        let requests = (Files.text(directory.path + "/requests") ?? "").split(separator: "\n")
            .map { $0.split(separator: " ", maxSplits: 1) }
        let others = requests.filter { $0.count == 2 && !$0[1].hasPrefix(client + "/") }
        return Set(others.map { String($0[0]) }).sorted()
    }

    /// How many files are in one of its directories, without what a client keeps there for itself.
    func count(in name: String) throws -> Int {
        let text = try Child.output([
            "sh", "-c", "find \"$1\" -name '.*' -prune -o -type f -print | wc -l", "count",
            directory.path + "/files/" + name,
        ])
        return Int(text.filter(\.isNumber)) ?? 0
    }

    // MARK: Its process

    private static func command(_ kind: Kind, _ place: String, _ port: UInt16, isFar: Bool) throws -> [String] {
        switch kind {
        case .apache:
            // The SHA-1 of the password.
            try Files.write(Array("\(user):{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n".utf8), to: place + "/accounts")
            chmod(place + "/accounts", 0o644)
            try Files.write(Array(apache(place, port, isFar: isFar).utf8), to: place + "/httpd.conf")
            return ["/usr/sbin/apache2", "-d", place, "-f", place + "/httpd.conf", "-DFOREGROUND"]
        case .nextcloud:
            try Files.write(Array(password.utf8), to: place + "/password")
            return [
                "/usr/bin/python3", sourceTree + "/Tests/Nextcloud/server.py", "--files", place + "/files", "--address",
                "127.0.0.1:\(port)", "--user", user, "--password-file", place + "/password",
            ]
        case .rclone:
            return [
                "rclone", "serve", "webdav", place + "/files", "--addr", "127.0.0.1:\(port)", "--user", user, "--pass",
                password, "--etag-hash", "MD5", "--config", place + "/none",
            ]
        }
    }

    /// One that signs itself.
    private static func makeCertificate(_ place: String) throws {
        _ = try Child.output([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=bench", "-addext", "subjectAltName=IP:\(Line.farAddress)", "-keyout", place + "/key", "-out",
            place + "/certificate",
        ])
    }

    private static func apache(_ place: String, _ port: UInt16, isFar: Bool) -> String {
        let modules =
            ([
                "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs",
                "dav_lock",
            ] + (isFar ? ["ssl", "http2"] : [])).map {
                "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
            }.joined(separator: "\n")
        return """
            \(modules)
            ServerName localhost
            Listen \(isFar ? Line.farAddress : "127.0.0.1"):\(port)
            PidFile \(place)/pid
            ErrorLog \(place)/log
            DocumentRoot \(place)/files
            DavLockDB \(place)/locks
            # Without a limit on the requests of a connection, which would be made anew.
            MaxKeepAliveRequests 0
            \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
            \(isFar ? encryption(place) : "")
            <Directory \(place)/files>
              Dav On
              AuthType Basic
              AuthName bench
              AuthUserFile \(place)/accounts
              Require valid-user
            </Directory>

            """
    }

    private static func encryption(_ place: String) -> String {
        """
        SSLEngine on
        SSLCertificateFile \(place)/certificate
        SSLCertificateKeyFile \(place)/key
        Protocols h2 http/1.1
        LogFormat "%H %{User-Agent}i" version
        CustomLog \(place)/requests version
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

    private var isAnswered: Bool {
        guard line != nil else { return Self.use(port) { connect($0, $1, $2) == 0 } != nil }
        return (try? Child.output(curl(["-X", "OPTIONS", address()]))) != nil
    }
}
