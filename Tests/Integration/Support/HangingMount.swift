import Glibc
import TestSupport

/// A file system that shows another directory, slowly, and stops answering when it is told to: its server is a process
/// that can be stopped and continued.
final class HangingMount {
    let path: String
    /// The directory that it shows.
    let source: String
    private let server: RunningProgram

    /// Bytes in a second, reading as well as writing.
    private static let rate = "2M"

    /// - Parameters:
    ///   - source: what it shows.
    ///   - path: the directory at which it is mounted.
    init(_ source: String, at path: String, in world: World) throws {
        (self.path, self.source) = (path, source)
        let before = try Self.device(of: path)
        server = try RunningProgram(
            ["bindfs", "-f", "--read-rate=\(Self.rate)", "--write-rate=\(Self.rate)", source, path],
            environment: RunningProgram.inheritedEnvironment)
        try world.until("\(path) is mounted") { [server] in
            guard server.isRunning else { throw Failure("bindfs: \(try server.finish())") }
            return try Self.device(of: path) != before
        }
    }

    /// Whoever asks anything from now on waits.
    func hang() { server.signal(SIGSTOP) }

    /// Answers again, what was asked meanwhile as well.
    func answer() { server.signal(SIGCONT) }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        server.kill()
    }

    private static func device(of path: String) throws -> UInt {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure("stat \(path): \(errno)") }
        return UInt(status.st_dev)
    }
}
