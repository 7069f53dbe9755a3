package import Glibc
package import TestSupport

/// What tests need of sockets on this computer.
package enum Loopback {
    /// The address of a port.
    package static func address(port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        name.sin_port = port.bigEndian
        return name
    }

    /// A socket that is bound to a port that nobody has.
    ///
    /// As long as it is open, the system gives its port to nobody else who wants any, and whoever names the port and
    /// lets addresses be used again, as servers do, can listen there nevertheless.
    package static func bound() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var name = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure("no free port: \(errno)") }
        return (descriptor, UInt16(bigEndian: name.sin_port))
    }

    /// Waits until a server listens on a port; four minutes at most, which a busy machine does not need.
    package static func waitForServer(_ program: RunningProgram, on port: UInt16) throws {
        let end = ContinuousClock.now + .seconds(240)
        while !isAnswered(port) {
            guard program.isRunning, ContinuousClock.now < end else { throw Failure("the server does not answer") }
            usleep(20_000)
        }
    }

    /// Whether somebody listens on a port.
    package static func isAnswered(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var name = address(port: port)
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
