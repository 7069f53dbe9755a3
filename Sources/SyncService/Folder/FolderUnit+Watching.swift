internal import DBus
internal import Glibc
internal import SyncCore

/// Folders of which not every change is told: they are looked through by themselves, and say so.
extension FolderUnit {
    /// Other sides than before are unwatched.
    func setUnwatched(_ sides: Set<Side>) {
        if rescans.setUnwatched(sides, at: EventLoop.now()), hasStarted { publishStatus() }
    }

    /// Looks the unwatched sides through, if that is due.
    func rescanIfDue() {
        guard hasStarted, rescans.takeDue(at: EventLoop.now()) else { return }
        whenAtRest { [weak self] in
            guard let self else { return }
            beginLook()
            for side in rescans.unwatched.sorted(by: { $0 == .local && $1 != .local }) { rescan(side) }
        }
    }

    /// Everything is looked at from here on.
    func beginLook() { rescans.begin(at: EventLoop.now(), date: microseconds()) }

    /// What stands for “Up to date” where not every change is told.
    var restingSentence: String {
        guard !rescans.unwatched.isEmpty else { return "Up to date" }
        guard let date = rescans.lookedThrough else { return "Looking for changes" }
        return "Up to date as of \(Self.clock(date)), \(lookingSentence)"
    }

    /// “looked through every 5 minutes”.
    private var lookingSentence: String {
        let minutes = max(1, (rescans.interval + 30_000_000_000) / 60_000_000_000)
        return "looked through every " + (minutes == 1 ? "minute" : "\(minutes) minutes")
    }

    /// The time of day of a moment given in microseconds since 1970, as the person's clock shows it.
    private static func clock(_ microseconds: Int64) -> String {
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(parts.tm_hour) + ":" + two(parts.tm_min)
    }
}
