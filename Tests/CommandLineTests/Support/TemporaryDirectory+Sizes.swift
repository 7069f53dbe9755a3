import Glibc
import SystemPackage
import TestSupport

extension TemporaryDirectory {
    /// Makes a file of so many bytes, whose name may hold any bytes.
    func file(_ name: [UInt8], size: Int = 0) throws {
        let place = (Array("\(path.string)/".utf8) + name).map { CChar(bitPattern: $0) } + [0]
        let descriptor = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0 else {
            throw Failure("cannot write into \(path)")
        }
        close(descriptor)
    }
}
