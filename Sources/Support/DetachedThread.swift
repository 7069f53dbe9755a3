internal import CLinux
package import SystemPackage

/// A detached POSIX thread.
package enum DetachedThread {
    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// The work on these threads needs little stack; the default of 8 MiB would only make a crash dump larger.
    private static let stackSize = 512 << 10

    /// Runs `body` on a new thread, in which all signals are blocked, because the program's main thread handles them.
    ///
    /// - Parameter name: The name shown by `top -H`, at most 15 bytes.
    /// - Throws: The error of the system if no thread can be created.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        let work = Unmanaged.passRetained(Work(name, body))
        let result = clinux_start_thread(
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                clinux_name_thread(work.name)
                work.body()
                return nil
            }, work.toOpaque(), stackSize)
        guard result == 0 else {
            work.release()
            throw Errno(rawValue: result)
        }
    }
}
