import CLinux
import Glibc
import Support
import SyncCore
import Synchronization
import SystemPackage

/// How long a machine has run, as far as was observed, in seconds. Kept versions age by this, because the calendar can
/// be set to any date.
///
/// Within one boot, the count follows a clock that cannot be set. Across a restart it follows the calendar, but adds at
/// most the time that the machine has run since, or one day if that is longer: a wrong date costs at most a day.
struct LivedTime: Equatable, Sendable {
    /// A reading of the clocks.
    struct Reading: Equatable, Sendable {
        /// Identifies the boot; empty if the kernel does not.
        var boot: String
        /// Seconds since the boot, including sleep.
        var sinceBoot: Int64
        /// Seconds since 1970.
        var calendar: Int64
    }

    /// Seconds counted up to the reading.
    private(set) var seconds: Int64
    private var reading: Reading

    /// The most that is added for a restart.
    private static let day: Int64 = 86_400
    /// No valid number is greater.
    private static let largest: Int64 = 1 << 40

    /// A count that starts here, without an earlier reading.
    init(seconds: Int64 = 0, at reading: Reading) {
        self.seconds = seconds
        self.reading = reading
    }

    /// Counts up to a later reading.
    mutating func advance(to now: Reading) {
        let passed =
            now.boot == reading.boot && !now.boot.isEmpty
            ? now.sinceBoot - reading.sinceBoot
            : min(now.calendar - reading.calendar, max(now.sinceBoot, Self.day))
        seconds = min(seconds + max(0, passed), Self.largest)
        reading = now
    }

    // MARK: As text

    var text: String {
        "Seconds=\(seconds)\nBoot=\(reading.boot)\nSinceBoot=\(reading.sinceBoot)\nCalendar=\(reading.calendar)\n"
    }

    /// Parses ``text``; nil for anything else.
    init?(_ text: [UInt8]) {
        var values: [Substring: Substring] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            values[parts[0]] = parts[1]
        }
        let numbers = ["Seconds", "SinceBoot", "Calendar"].compactMap { values[$0].flatMap { Int64($0) } }
        guard let boot = values["Boot"], numbers.count == 3, numbers.allSatisfy({ (0...Self.largest).contains($0) })
        else { return nil }
        seconds = numbers[0]
        reading = Reading(boot: String(boot), sinceBoot: numbers[1], calendar: numbers[2])
    }
}

extension LivedTime.Reading {
    /// The present reading of this machine's clocks.
    static var now: LivedTime.Reading {
        var sinceBoot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        return LivedTime.Reading(boot: boot, sinceBoot: Int64(sinceBoot.tv_sec), calendar: max(0, Int64(time(nil))))
    }

    /// random(4): a new identifier for each boot.
    private static let boot: String = {
        let bytes = ((try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)) ?? nil) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }()
}

/// The count for what one hidden area keeps, stored in a file there.
final class LivedClock: Sendable {
    private let directory: DirectoryHandle
    private let read: @Sendable () -> LivedTime.Reading
    private let known: Mutex<LivedTime?>

    private static let name = EntryName.constant("lived")
    private static let newName = EntryName.constant("lived.new")
    /// The names of the files in which it is kept.
    static let fileNames = [name, newName]

    /// - Parameter counted: The earlier count; nil to read it from the file.
    init(
        in directory: DirectoryHandle, counted: LivedTime? = nil,
        read: @escaping @Sendable () -> LivedTime.Reading = { .now }
    ) {
        self.directory = directory
        self.read = read
        known = Mutex(counted)
    }

    /// The count when it was last read; nil if it was not.
    var counted: LivedTime? { known.withLock { $0 } }

    /// The seconds counted up to now.
    ///
    /// - Parameter atLeast: Called if no count is found; returns the highest count that kept versions mention.
    func seconds(atLeast: () -> Int64 = { 0 }) -> Int64 {
        let now = read()
        return known.withLock { known in
            var time = known ?? load() ?? LivedTime(seconds: atLeast(), at: now)
            time.advance(to: now)
            known = time
            return time.seconds
        }
    }

    /// Stores the count. If some of it is lost, versions are kept longer.
    func save() {
        _ = seconds()
        guard let text = known.withLock({ $0?.text }) else { return }
        do throws(Errno) {
            let file = try directory.open(Self.newName, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)
            try file.writeAll(Array(text.utf8))
            try directory.rename(Self.newName, to: Self.name, in: directory)
        } catch {
            // With a full or read-only disk, the last stored count is used.
        }
    }

    private func load() -> LivedTime? {
        (try? directory.open(Self.name, DirectoryHandle.reading).readAll(limit: 4_096)).flatMap { LivedTime($0) }
    }
}
