import Glibc
import TestSupport

/// A directory of a test's own, gone with it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/roundel-cli.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file of so many bytes.
    func file(_ name: [UInt8], size: Int = 0) throws {
        let place = (Array("\(path)/".utf8) + name).map { CChar(bitPattern: $0) } + [0]
        let descriptor = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0 else {
            throw Failure("cannot write into \(path)")
        }
        close(descriptor)
    }

    func folder(_ name: String) { mkdir("\(path)/\(name)", 0o700) }

    deinit { _ = try? RunningProgram(["rm", "-rf", path], environment: ["PATH": "/usr/bin:/bin"]).wait() }
}
