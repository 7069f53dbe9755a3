import Glibc
import RemoteSupport
import SyncEngine
import SystemPackage
import TestSupport
import WebDAV

/// A server of a test's own, on this computer alone, with an empty folder.
final class TestServer {
    static let user = "user"
    static let password = "secret"

    /// The address of the folder.
    let address: String
    private let directory: TemporaryDirectory
    private let program: RunningProgram
    /// Keeps the port from being given to another test before the server has it.
    private let reserved: Int32

    /// Starts one and waits until it answers.
    ///
    /// - Parameter more: Further settings of Apache.
    init(_ kind: ServerKind, apache more: String = "") throws {
        guard let path = kind.program else { throw Failure("\(kind) is not installed") }
        directory = try TemporaryDirectory()
        let place = directory.path.string
        // Servers that drop the superuser's rights come in as somebody else.
        guard chmod(place, 0o755) == 0, mkdir(place + "/files", 0o755) == 0, mkdir(place + "/work", 0o777) == 0 else {
            throw Failure("no folder for a server: \(errno)")
        }
        if getuid() == 0, let account = getpwnam("www-data") {
            for name in ["", "/files", "/work"] { chown(place + name, account.pointee.pw_uid, account.pointee.pw_gid) }
        }
        let port: UInt16
        (reserved, port) = try Loopback.bound()
        address = "http://127.0.0.1:\(port)\(kind.path)"
        let (settings, arguments) = kind.setUp(in: place, port: port)
        for (name, text) in settings { try directory.write(name == "httpd.conf" ? text + more : text, to: name) }
        program = try RunningProgram(
            [path] + arguments, environment: RunningProgram.inheritedEnvironment, errorFile: place + "/errors")
        try Loopback.waitForServer(program, on: port)
    }

    deinit {
        _ = try? program.end(with: SIGTERM)
        close(reserved)
    }

    /// Lets it do nothing, as if its network were gone, until `body` returns.
    func whileFrozen(_ body: () async throws -> Void) async throws {
        program.signal(SIGSTOP)
        defer { program.signal(SIGCONT) }
        try await body()
    }

    /// Its folder, where it can be looked at without it.
    var files: FilePath { directory["files"] }

    /// The methods and paths of the requests so far, each as `METHOD /path`. Apache writes them down, as it answers; the others
    /// do not.
    func requests() throws -> [String] {
        try directory.read("requests").split(separator: "\n").map(String.init)
    }

    /// The names in a directory of its folder that a listing of a person's shows.
    func names(in path: String) throws -> [String] {
        try directory.names(in: path.isEmpty ? "files" : "files/" + path).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// A client of it.
    func client(password: String = TestServer.password, pace: TransferPace = TransferPace()) throws -> DAVClient {
        DAVClient(
            try ServerLocation(address), credentials: Credentials(user: Self.user, password: password),
            limits: .patient, pace: pace, clock: { Int64(time(nil)) })
    }
}

extension DAVLimits {
    /// Those that a machine does not reach whose cores are all busy.
    static var patient: DAVLimits {
        var limits = DAVLimits()
        (limits.connection, limits.silence, limits.answer) = (.seconds(300), .seconds(300), .seconds(600))
        limits.wholeListing = .seconds(600)
        return limits
    }
}
