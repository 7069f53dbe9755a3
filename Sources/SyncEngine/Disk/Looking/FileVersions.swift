import CLinux
import Glibc
import SyncCore
import Synchronization

/// Turns the status of a file into a version, by the clock of the file system that keeps it.
final class FileVersions: Sendable {
    private struct Ground {
        var kind = DiskKind.foreign
        var clock = FileClock(of: .foreign)
        var keepsPermissions = false
    }

    private struct Grounds {
        var root = Ground()
        /// What is known of file systems, by device number, including those mounted within the root.
        var known: [UInt64: Ground] = [:]
    }

    private let grounds = Mutex(Grounds())
    private let now: @Sendable () -> Int64

    /// - Parameter now: Nanoseconds since 1970 by this machine's clock.
    init(now: @escaping @Sendable () -> Int64 = FileVersions.now) {
        self.now = now
    }

    /// Records the kind and clock of the workspace's file system, and whether it keeps permissions. Files on unknown
    /// file systems are treated like those on the root's.
    func adopt(_ workspace: Workspace) {
        let ground = Ground(
            kind: workspace.kind, clock: workspace.clock, keepsPermissions: workspace.keepsPermissions)
        grounds.withLock { grounds in
            if workspace.prefix.isRoot { grounds.root = ground }
            grounds.known[workspace.status.device] = ground
        }
    }

    /// Whether the file system with this device number is known.
    func knows(_ device: UInt64) -> Bool { grounds.withLock { $0.known[device] != nil } }

    /// Records the kind of a file system, and assumes the usual clock and permissions for that kind.
    func learn(_ device: UInt64, _ kind: DiskKind) {
        let ground = Ground(
            kind: kind, clock: FileClock(of: kind), keepsPermissions: PermissionBits.areKept(on: kind))
        grounds.withLock { $0.known[device] = ground }
    }

    private func ground(of status: FileStatus) -> Ground {
        grounds.withLock { $0.known[status.device] ?? $0.root }
    }

    /// The kind of the file system that a file is on.
    func kind(of status: FileStatus) -> DiskKind { ground(of: status).kind }

    /// The version of a file: the identity from inode and birth time (without the device number, which may differ after
    /// a restart), the tag from the size and both times.
    func version(of status: FileStatus) -> Version { version(of: status, on: ground(of: status)) }

    /// The version of a file on a known file system; nil on any other.
    func knownVersion(of status: FileStatus) -> Version? {
        grounds.withLock { $0.known[status.device] }.map { version(of: status, on: $0) }
    }

    private func version(of status: FileStatus, on ground: Ground) -> Version {
        let born = ground.kind.keepsBirth ? status.born : 0
        let identity = ground.kind.keepsInodes ? Self.token(status.inode, UInt64(bitPattern: born)) : .none
        let permissions = ground.keepsPermissions ? Permissions(status.mode) : nil
        guard status.kind != .directory else {
            return Version(identity: identity, tag: .none, size: 0, permissions: permissions)
        }
        return Version(
            identity: identity, tag: Self.tag(of: status), size: Int64(clamping: status.size),
            modified: status.modified,
            isRacy: status.placeholder == nil && remaining(status, ground.clock) > 0, permissions: permissions,
            residence: status.placeholder == nil ? .here : .remoteAlone)
    }

    /// What a file's contents are known by: its size and both times.
    static func tag(of status: FileStatus) -> Token {
        token(status.size, UInt64(bitPattern: status.modified), UInt64(bitPattern: status.changed))
    }

    /// The permissions of an open file as the source of a copy: the group's permissions are those of the group itself.
    /// Nil if the file system keeps none.
    func permissions(of file: Descriptor, _ status: FileStatus) -> Permissions? {
        guard ground(of: status).keepsPermissions else { return nil }
        guard let group = FileAttributes.groupBits(of: file) else { return Permissions(status.mode) }
        return Permissions(status.mode & (group | 0o707))
    }

    /// Nanoseconds until a further change of the file would show in its times; at most the clock's grain.
    func remainingGrain(of status: FileStatus) -> Int64 {
        remaining(status, ground(of: status).clock)
    }

    /// Nanoseconds since the file's last change, at least 0; nil if its times are in the future.
    func age(of status: FileStatus) -> Int64? { age(status, ground(of: status).clock) }

    private func remaining(_ status: FileStatus, _ clock: FileClock) -> Int64 {
        // Two times of whole seconds are no coincidence: they show a coarse clock even if nothing could be measured.
        let isWhole = status.modified % 1_000_000_000 == 0 && status.changed % 1_000_000_000 == 0
        let grain = isWhole ? max(clock.grain, FileClock.grainOfSeconds) : clock.grain
        return max(0, grain - (age(status, clock) ?? grain))
    }

    private func age(_ status: FileStatus, _ clock: FileClock) -> Int64? {
        let present = now() + clock.offset
        let modified = Self.age(since: status.modified, at: present, clock)
        guard let changed = Self.age(since: status.changed, at: present, clock) else { return modified }
        return min(changed, modified ?? changed)
    }

    /// Nil for a time in the future, which says nothing about when it was set.
    private static func age(since time: Int64, at present: Int64, _ clock: FileClock) -> Int64? {
        let (age, overflow) = present.subtractingReportingOverflow(time)
        return overflow || age <= -clock.grain ? nil : max(0, age)
    }

    /// Whether `status` matches `expected`: for a directory the identity, for a file everything.
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
