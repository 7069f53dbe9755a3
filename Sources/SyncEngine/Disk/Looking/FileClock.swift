import Glibc
import SyncCore
import SystemPackage

/// The clock with which a file system stamps its files.
struct FileClock: Sendable, Hashable {
    /// In nanoseconds: two changes of a file within it may show the same time.
    var grain: Int64
    /// How far it is ahead of this machine's clock, in nanoseconds.
    var offset: Int64

    /// The usual values, for when nothing can be measured.
    init(of kind: DiskKind) {
        grain = kind.clockGrain
        offset = 0
    }

    /// The grain of times in whole seconds.
    static let grainOfSeconds = 1_000_000_000 + tick
    /// Files are stamped with the time of the kernel's last tick, which was at most this long ago.
    private static let tick: Int64 = 20_000_000

    /// Measures the clock with a temporary file in `directory`.
    ///
    /// How the file system stores a time that is set shows how it rounds: ext3, and ext4 with small inodes, to the
    /// second, FAT to two. Since Linux 6.13, a local file system that does not round gives a distinct time to the next
    /// change of a file whose times were read (multigrain timestamps): no change after a look can hide, and the grain
    /// is zero. If the files are stamped with the kernel's tick, some of these changes, made within microseconds, show
    /// the same time.
    init(of kind: DiskKind, measuredIn directory: DirectoryHandle, name: EntryName) throws(Errno) {
        self.init(of: kind)
        let file = try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        defer { try? directory.removeFile(name) }
        var last = try file.status().changed
        if !kind.isLocal { offset = last - FileVersions.now() }
        let rounding = try Self.rounding(of: file, near: last)
        if rounding > 0 { grain = max(grain, rounding + Self.tick) }
        guard kind.isLocal && rounding == 0 else { return }
        for _ in 0..<Self.changes {
            try file.writeAll([0])
            let changed = try file.status().changed
            if changed == last { return }
            last = changed
        }
        grain = 0
    }

    /// To how many nanoseconds the file system rounds times; 0 if it does not matter.
    private static func rounding(of file: Descriptor, near time: Int64) throws(Errno) -> Int64 {
        let second: Int64 = 1_000_000_000
        let rest: Int64 = 123_456_789
        let told = (time / (2 * second) * 2 - 1) * second + rest
        try file.setModified(told)
        let lost = abs(told - (try file.status().modified))
        if lost >= second { return 2 * second }
        if lost >= rest { return second }
        return lost > second / 1_000 ? second / 10 : 0
    }

    private static let changes = 16
}
