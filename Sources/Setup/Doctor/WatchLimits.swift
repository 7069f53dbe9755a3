internal import Glibc
internal import RoundelBus

/// How many directories inotify may watch, and whether that is enough (inotify(7), "/proc interfaces").
struct WatchLimits: Sendable, Equatable {
    /// The system's limit for each user; nil if /proc does not contain it.
    let perUser: UInt32?
    /// How many the badge service uses, if it runs.
    let used: UInt32?
    /// Folders that are rescanned because they cannot be watched.
    let unreliable: [ItemURI]

    static func systemLimit() -> UInt32? {
        guard let file = fopen("/proc/sys/fs/inotify/max_user_watches", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = fread(&buffer, 1, buffer.count, file)
        return UInt32(String(decoding: buffer[..<count].filter { $0 != 0x0A }, as: UTF8.self))
    }

    /// Enough for four times the directories in use, but not more than the kernel accepts for this limit, an `int`.
    /// Each used watch needs about 1 KiB.
    var recommended: UInt32 {
        let wanted = max(524_288, 4 * UInt64(used ?? 0), UInt64(perUser ?? 0))
        return UInt32(min(wanted, UInt64(Int32.max)))
    }

    var findings: [Finding] {
        guard let perUser else { return [Finding(.watches, .advice, .noWatchLimit)] }
        return [finding(perUser)] + unreliable.map { Finding(.watches, .advice, .unwatchable($0)) }
    }

    private func finding(_ limit: UInt32) -> Finding {
        let remedy = Finding.Remedy.raiseWatchLimit(recommended)
        if let used, used >= limit - limit / 10 {
            return Finding(.watches, .problem, .watchesExhausted(used: used, limit: limit), remedy: remedy)
        }
        if limit < 65_536 {
            return Finding(.watches, .advice, .fewWatches(used: used, limit: limit), remedy: remedy)
        }
        return Finding(.watches, .good, .watches(used: used, limit: limit))
    }
}
