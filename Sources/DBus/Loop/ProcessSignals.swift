internal import CLinux
internal import Glibc

extension EventLoop {
    /// Calls `handler` on the loop with the number of each received process signal in `signals`.
    ///
    /// The signals are blocked in the calling thread; call this before other threads start, so that they inherit that.
    @discardableResult
    public func watchSignals(
        _ signals: [Int32], _ handler: @escaping (Int32) -> Void
    ) throws(DBusError) -> Registration {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let blocked = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard blocked == 0 else { throw .system("Cannot block process signals", blocked) }
        let descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system("Cannot create a descriptor for process signals") }
        let source = watch(fileDescriptor: descriptor, interest: .read) { _ in
            var info = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while read(descriptor, &info, size) == size { handler(Int32(info.ssi_signo)) }
        }
        return Registration {
            source.cancel()
            close(descriptor)
        }
    }
}
