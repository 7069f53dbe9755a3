/// How long rclone may take.
package struct RcloneLimits: Hashable, Sendable {
    /// Until it can be asked. On a busy machine a program takes its time.
    package var start = Duration.seconds(30)
    /// For a question or a change, without contents of files.
    package var answer = Duration.seconds(180)
    /// For a listing, and for what the service behind it does step by step: a directory that is moved file by file.
    package var longAnswer = Duration.seconds(3_600)
    /// In which a transfer moves nothing: at its end, services put large files together.
    package var silence = Duration.seconds(600)
    /// To be told how fast it may be. Where it is very slow already, it answers late, and is told again.
    package var telling = Duration.seconds(3)
    /// After which it is ended if nobody asks anything.
    package var idle = Duration.seconds(60)
    /// Until a mark that another installation gives a root at the same time is seen.
    package var marking = Duration.seconds(3)
    /// Bytes of an answer; more than the listing of any directory has.
    package var largestAnswer = 1 << 30

    /// The usual ones.
    package init() {}
}
