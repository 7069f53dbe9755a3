/// How long a server may take, and how much it may send.
package struct DAVLimits: Hashable, Sendable {
    /// Until a connection stands.
    package var connection = Duration.seconds(15)
    /// Between two parts of an answer, or until one begins; and between two parts of an upload.
    package var silence = Duration.seconds(45)
    /// For a question or a change as a whole, without contents of files.
    package var answer = Duration.seconds(120)
    /// Bytes of a listing; more than any directory has.
    package var listing: Int64 = 4 << 30
    /// Bytes of an answer that nobody reads: the connection is closed behind more of them.
    package var unread: Int64 = 1 << 20

    /// The usual ones.
    package init() {}
}
