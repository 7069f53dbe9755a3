internal import Support
internal import SystemPackage

/// Settings that tests change; the product uses the defaults.
package struct WatcherSettings: Sendable {
    /// The maximum number of watches to use; read at the start and whenever there are too few.
    package var watchLimit: @Sendable () -> Int
    /// The mount table to read.
    package var mountTable: String

    package init(
        watchLimit: @escaping @Sendable () -> Int = Self.systemLimit, mountTable: String = "/proc/self/mountinfo"
    ) {
        self.watchLimit = watchLimit
        self.mountTable = mountTable
    }

    /// `fs.inotify.max_user_watches`; the long-time default of Linux if it cannot be read.
    @Sendable package static func systemLimit() -> Int {
        let text = (try? SmallFile.read(beginningOf: "/proc/sys/fs/inotify/max_user_watches", count: 32)) ?? []
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 8192
    }
}
