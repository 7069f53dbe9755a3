/// How long a server may take, and how much it may send.
package struct DAVLimits: Hashable, Sendable {
    /// Until a connection stands.
    package var connection = Duration.seconds(15)
    /// Between two parts of an answer, or until one begins; and between two parts of an upload.
    package var silence = Duration.seconds(45)
    /// For a question or a change as a whole, without contents of files.
    package var answer = Duration.seconds(120)
    /// For a listing as a whole, of which something has to arrive all the time.
    package var wholeListing = Duration.seconds(600)
    /// Until a server says something of a large file of which it has all: a proxy may have taken it in a moment and hand it on
    /// now.
    package var largeFile = Duration.seconds(900)
    /// Bytes of a listing; more than any directory has.
    package var listing: Int64 = 1 << 30
    /// Bytes of one item of a listing.
    package var item = 4 << 20
    /// Bytes of an answer that nobody reads: the connection is closed behind more of them.
    package var unread: Int64 = 1 << 20

    /// The usual ones.
    package init() {}
}
