import Glibc

/// How many directories inotify may watch, and whether that is enough (inotify(7), "/proc interfaces").
struct WatchLimits: Sendable, Equatable {
    /// The system's limit for each user; nil if /proc does not contain it.
    let perUser: UInt32?
    /// How many the badge service uses, if it runs.
    let used: UInt32?
    /// Folders that are rescanned because they cannot be watched.
    let unreliable: [String]

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
        guard let perUser else {
            return [
                Finding(
                    "watches", .advice, Text.noWatchLimit)
            ]
        }
        let remedy =
            "echo fs.inotify.max_user_watches=\(recommended) | sudo tee /etc/sysctl.d/60-roundel.conf "
            + "&& sudo sysctl --system"
        var findings: [Finding] = []
        if let used, used >= perUser - perUser / 10 {
            findings.append(
                Finding(
                    "watches", .problem, Text.watchesExhausted(used, of: perUser),
                    remedy: remedy))
        } else if perUser < 65_536 {
            findings.append(Finding("watches", .advice, Text.fewWatches(used, of: perUser), remedy: remedy))
        } else {
            findings.append(Finding("watches", .good, Text.watched(used, of: perUser)))
        }
        for folder in unreliable {
            findings.append(
                Finding(
                    "watches", .advice,
                    Text.unwatchable(folder))
            )
        }
        return findings
    }
}
