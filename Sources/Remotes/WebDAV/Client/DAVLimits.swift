internal import Support

/// Limits on a server's response time and on the amount of data it may send.
package struct DAVLimits: Hashable, Sendable {
    /// Until a connection is established.
    package var connection = Patience.Server.connection
    /// Between two parts of a response, or until it begins; and between two parts of an upload.
    package var silence = Patience.Server.silence
    /// For a whole request without contents of files.
    package var answer = Patience.Server.answer
    /// For a whole listing, which must also show progress all the time.
    package var wholeListing = Patience.Server.listing
    /// Until the server responds to a large upload: a proxy may have received it quickly and still be forwarding it.
    package var largeFile = Patience.Server.largeFile
    /// Bytes of a listing; more than that of any real directory.
    package var listing: Int64 = 1 << 30
    /// Bytes of one item of a listing.
    package var item = 4 << 20
    /// Bytes of a response that are read only to discard them: after that, the connection is closed.
    package var unread: Int64 = 1 << 20

    /// The default limits.
    package init() {}
}
