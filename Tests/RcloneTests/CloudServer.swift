import Glibc
import RemoteSupport
import SystemPackage
import TestSupport

/// The server behind a remote, a test's own and on this computer alone.
final class CloudServer {
    let port: UInt16
    private let words: [String]
    private let place: String
    private var program: RunningProgram?
    /// Keeps the port from being given to another test while the server does not have it.
    private let reserved: Int32

    /// Starts one that serves `files` of a directory, and waits until it answers.
    init(_ kind: CloudKind, in directory: TemporaryDirectory) throws {
        guard let path = kind.program else { throw Failure("\(kind) is not installed") }
        (reserved, port) = try Loopback.bound()
        place = directory.path.string
        words =
            switch kind {
            case .directory, .folding, .objects, .written: throw Failure("\(kind) has no server")
            case .sftp: Self.rclone(path, place, port)
            case .ssh: try Self.ssh(path, directory, port)
            case .s3: [path, "-H", "127.0.0.1", "-p", "\(port)"]
            }
        try start()
    }

    deinit {
        end()
        close(reserved)
    }

    /// On the same port each time; returns when it answers.
    func start() throws {
        let program = try RunningProgram(
            words, environment: ["PATH": "/usr/bin:/bin", "HOME": place], errorFile: place + "/server")
        self.program = program
        try Loopback.waitForServer(program, on: port)
    }

    /// It is gone as a computer is that was switched off, with what it does for each connection.
    func end() {
        guard let program else { return }
        let helpers = Self.descendants(of: program.identifier)
        _ = try? program.end(with: SIGKILL)
        for helper in helpers { kill(helper, SIGKILL) }
        self.program = nil
    }

    private static func descendants(of process: Int32) -> [Int32] {
        let text = (try? bytes(of: "/proc/\(process)/task/\(process)/children")) ?? []
        let children = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
        return children + children.flatMap(descendants)
    }

    private static func rclone(_ path: String, _ place: String, _ port: UInt16) -> [String] {
        [
            path, "serve", "sftp", place + "/files", "--addr", "127.0.0.1:\(port)", "--user", "user", "--pass",
            "secret", "--config", place + "/none", "--cache-dir", place + "/cache", "--dir-cache-time", "0",
            "--vfs-cache-mode", "off",
        ]
    }

    // MARK: OpenSSH

    /// Whose OpenSSH is: without the superuser's rights it lets in only whom it runs as.
    static let account =
        getuid() == 0 ? "www-data" : getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? ""

    private static func ssh(_ path: String, _ directory: TemporaryDirectory, _ port: UInt16) throws -> [String] {
        let place = directory.path.string
        for name in ["host", "key"] {
            let made = try RunningProgram(
                ["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "\(place)/\(name)"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": place]
            ).finish()
            guard made.status == 0 else { throw Failure("no key: \(made.output) \(made.errors)") }
        }
        try directory.write(
            "[127.0.0.1]:\(port) " + String(decoding: bytes(of: place + "/host.pub"), as: UTF8.self), to: "known-hosts")
        try directory.write(
            "[127.0.0.1]:\(port) " + String(decoding: bytes(of: place + "/key.pub"), as: UTF8.self), to: "other-hosts")
        // Newer ones are several programs, which look for each other where the whole system has them.
        let parts = [("SshdSessionPath", "sshd-session"), ("SshdAuthPath", "sshd-auth")].compactMap { option, name in
            let part = path.replacing("sbin/sshd", with: "lib/openssh/\(name)")
            return access(part, X_OK) == 0 ? "\(option) \(part)" : nil
        }
        try directory.write(
            """
            ListenAddress 127.0.0.1
            Port \(port)
            HostKey \(place)/host
            AuthorizedKeysFile \(place)/key.pub
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            UsePAM no
            StrictModes no
            PidFile none
            LoginGraceTime 600
            Subsystem sftp internal-sftp -d \(place)/files
            ForceCommand internal-sftp -d \(place)/files
            \(parts.joined(separator: "\n"))

            """, to: "sshd_config")
        let words = [path, "-D", "-e", "-f", place + "/sshd_config"]
        guard getuid() == 0 else { return words }
        guard let other = getpwnam(account), chmod(place, 0o755) == 0 else { throw Failure("no account: \(errno)") }
        for name in ["/host", "/files", "/files/place"] {
            chown(place + name, other.pointee.pw_uid, other.pointee.pw_gid)
        }
        return [
            "/usr/bin/setpriv", "--reuid=\(account)", "--regid=\(other.pointee.pw_gid)", "--clear-groups",
            "--inh-caps=-all",
        ] + words
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        guard let file = fopen(path, "re") else { throw Failure("cannot read \(path)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }
}
