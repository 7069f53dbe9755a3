import CLinux
import Glibc
import SystemPackage

/// Checks whether some process has a file open for writing.
enum WriterCheck {
    /// The result of a check.
    enum Answer: Sendable {
        case idle
        case busy
        /// Another user's file, or a file system without leases: the only sign is that the file has not changed for a
        /// while.
        case unknown
    }

    /// Asks for a lease only if the result is meaningful. A file on another machine is written there, and a client
    /// without a delegation always refuses leases; behind FUSE, the kernel does not know all writers.
    static func check(_ file: Descriptor, on kind: DiskKind) -> Answer {
        switch kind {
        // All who use a mounted folder are programs of this machine.
        case .local, .layered, .onDemand: check(file)
        case .network: .unknown
        case .foreign: check(file) == .busy ? .busy : .unknown
        }
    }

    /// Checks with a read lease that is released at once. The kernel grants one only if the file is not open for
    /// writing. A process that opens the file in between waits for microseconds, and this process gets SIGIO, which
    /// would end it and is therefore ignored.
    static func check(_ file: Descriptor) -> Answer {
        ignoredSignal
        do throws(Errno) {
            try SystemCall.value { clinux_lease(file.raw, 0) }
            try SystemCall.value { clinux_lease(file.raw, 1) }
            return .idle
        } catch .resourceTemporarilyUnavailable {
            return .busy
        } catch {
            return .unknown
        }
    }

    private static let ignoredSignal: Void = {
        signal(SIGIO, SIG_IGN)
    }()
}
