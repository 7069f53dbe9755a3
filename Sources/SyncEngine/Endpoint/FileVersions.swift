import CLinux
import Glibc
import SyncCore
import Synchronization

/// Turns the status of a file into a version, by the clock of the file system that keeps it.
final class FileVersions: Sendable {
    private struct Ground {
        var kind = FileSystemKind.foreign
        var clock = FileClock(of: .foreign)
    }

    private let ground = Mutex(Ground())

    /// Takes the kind and clock of the file system that `workspace` is on.
    func adopt(_ workspace: Workspace) {
        ground.withLock { $0 = Ground(kind: workspace.kind, clock: workspace.clock) }
    }

    /// The kind of the file system.
    var kind: FileSystemKind { ground.withLock { $0.kind } }

    /// Identity from inode and birth (the device's number is left out: it may differ after a restart), tag from size
    /// and both times.
    func version(of status: FileStatus) -> Version {
        let ground = ground.withLock { $0 }
        let identity = ground.kind.keepsInodes ? Self.token(status.inode, UInt64(bitPattern: status.born)) : .none
        guard status.kind != .directory else { return Version(identity: identity, tag: .none, size: 0) }
        let tag = Self.token(
            status.size, UInt64(bitPattern: status.modified), UInt64(bitPattern: status.changed))
        return Version(
            identity: identity, tag: tag, size: Int64(clamping: status.size), modified: status.modified,
            isRacy: Self.remaining(status, ground.clock) > 0)
    }

    /// Nanoseconds until a further change of the file would show in its times; at most the clock's grain.
    func remainingGrain(of status: FileStatus) -> Int64 {
        Self.remaining(status, ground.withLock { $0.clock })
    }

    /// Nanoseconds since the file changed last, at least 0; nil if its times are in the future.
    func age(of status: FileStatus) -> Int64? {
        Self.age(status, ground.withLock { $0.clock })
    }

    private static func remaining(_ status: FileStatus, _ clock: FileClock) -> Int64 {
        max(0, clock.grain - (age(status, clock) ?? clock.grain))
    }

    private static func age(_ status: FileStatus, _ clock: FileClock) -> Int64? {
        let present = now() + clock.offset
        // A time in the future says nothing about when it was set.
        let ages = [status.modified, status.changed].map { present.subtractingReportingOverflow($0) }
            .filter { !$0.overflow && $0.partialValue > -clock.grain }
        return ages.map { max(0, $0.partialValue) }.min()
    }

    /// Whether `status` is what `expected` says: of a directory its identity, of a file everything.
    func matches(_ status: FileStatus, _ expected: Version, kind expectedKind: EntryKind) -> Bool {
        guard status.kind == expectedKind else { return false }
        let found = version(of: status)
        if status.kind == .directory {
            return expected.identity.isEmpty || expected.identity == found.identity
        }
        return found.tag == expected.tag && (expected.identity.isEmpty || expected.identity == found.identity)
    }

    /// Nanoseconds since 1970 by this machine's clock.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func token(_ numbers: UInt64...) -> Token {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 8)
        for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        return Token(bytes)
    }
}
