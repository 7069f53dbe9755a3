/// What tests set otherwise; the defaults are the product's.
package struct WatcherSettings: Sendable {
    /// Watches to use at most; nil asks `fs.inotify.max_user_watches`.
    package var watchLimit: Int?
    /// The mount table to read.
    package var mountTable: String

    package init(watchLimit: Int? = nil, mountTable: String = "/proc/self/mountinfo") {
        self.watchLimit = watchLimit
        self.mountTable = mountTable
    }
}
