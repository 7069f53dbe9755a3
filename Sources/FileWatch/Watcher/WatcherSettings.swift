internal import Support
internal import SystemPackage

/// What tests set otherwise; the defaults are the product's.
package struct WatcherSettings: Sendable {
    /// How many watches to use at most; asked for at the start and whenever some are lacking.
    package var watchLimit: @Sendable () -> Int
    /// The mount table to read.
    package var mountTable: String

    package init(
        watchLimit: @escaping @Sendable () -> Int = Self.systemLimit, mountTable: String = "/proc/self/mountinfo"
    ) {
        self.watchLimit = watchLimit
        self.mountTable = mountTable
    }

    /// `fs.inotify.max_user_watches`; what Linux has had for long where it cannot be read.
    @Sendable package static func systemLimit() -> Int {
        let text = (try? SmallFile.read(beginningOf: "/proc/sys/fs/inotify/max_user_watches", count: 32)) ?? []
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 8192
    }
}
