/// Time limits for rclone.
package struct RcloneLimits: Hashable, Sendable {
    /// Until it accepts requests, which takes a while on a busy machine.
    package var start = Duration.seconds(30)
    /// For a request without contents of files.
    package var answer = Duration.seconds(180)
    /// For a listing, and for what the service does step by step, such as moving a directory file by file.
    package var longAnswer = Duration.seconds(3_600)
    /// For a transfer without progress: at its end, services assemble large files.
    package var silence = Duration.seconds(600)
    /// To set the bandwidth limit. If rclone is already very slow, it responds late, and the request is repeated.
    package var telling = Duration.seconds(3)
    /// Without requests, after which it is stopped.
    package var idle = Duration.seconds(60)
    /// Until a mark is visible that another installation gives a root at the same time.
    package var marking = Duration.seconds(3)
    /// Bytes of a response; more than the listing of any real directory.
    package var largestAnswer = 1 << 30

    /// The default limits.
    package init() {}
}
