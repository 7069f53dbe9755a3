internal import Support

/// Time limits for rclone.
package struct RcloneLimits: Hashable, Sendable {
    /// Until it accepts requests, which takes a while on a busy machine.
    package var start = Patience.Rclone.start
    /// For a request without contents of files.
    package var answer = Patience.Rclone.answer
    /// For a listing, and for what the service does step by step, such as moving a directory file by file.
    package var longAnswer = Patience.Rclone.longAnswer
    /// For a transfer without progress: at its end, services assemble large files.
    package var silence = Patience.Rclone.silence
    /// To set the bandwidth limit. If rclone is already very slow, it responds late, and the request is repeated.
    package var telling = Patience.Rclone.telling
    /// Without requests, after which it is stopped.
    package var idle = Patience.Rclone.idle
    /// Until a mark is visible that another installation gives a root at the same time.
    package var marking = Patience.Rclone.marking
    /// Bytes of a response; more than the listing of any real directory.
    package var largestAnswer = 1 << 30

    /// The default limits.
    package init() {}
}
