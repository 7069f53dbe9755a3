import CLinux
import Glibc
import SystemPackage

/// Whether some process still has a file open for writing.
enum WriterCheck {
    /// What can be said of a file.
    enum Answer: Sendable {
        case idle
        case busy
        /// Another user's file, or a file system without leases: only the file's quiet can tell.
        case unknown
    }

    /// Asks where a lease says something: another machine's file is written there, and a client without a delegation
    /// refuses leases whether it is or not; behind FUSE others may write of whom the kernel does not know.
    static func check(_ file: Descriptor, on kind: DiskKind) -> Answer {
        switch kind {
        case .local: check(file)
        case .network: .unknown
        case .foreign: check(file) == .busy ? .busy : .unknown
        }
    }

    /// Asks with a read lease, given back at once. The kernel grants one only while nobody has the file open for
    /// writing. Whoever opens the file in between waits for microseconds, and this process is told by SIGIO, which
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
