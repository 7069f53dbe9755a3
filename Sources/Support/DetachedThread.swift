internal import CLinux
package import SystemPackage

/// A POSIX thread that nobody joins.
package enum DetachedThread {
    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// The work of our threads is shallow; the default of 8 MiB would only make a crash dump larger.
    private static let stackSize = 512 << 10

    /// Runs `body` on a new thread, which has every signal blocked: signals are for the thread of the program.
    ///
    /// - Parameter name: What `top -H` shows, at most 15 bytes.
    /// - Throws: what the system says if it gives no thread.
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
