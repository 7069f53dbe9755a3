internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOSSL

/// How often one request without effects (RFC 9110, section 9.2.1) is sent again at once, because there was no response.
///
/// A connection that was kept from an earlier request may have been closed by the server while this one was on its way,
/// and so may all others that are kept: that says nothing about the server. One repetition is allowed whatever happened.
struct Repetition {
    /// How many kept connections may still be closed.
    private var kept: Int
    private var isUsed = false

    /// - Parameter connections: The most that are kept.
    init(connections: Int) { kept = connections }

    /// Whether to send the request again.
    ///
    /// - Parameter opened: Whether the client opened a connection meanwhile, so that the request may have been sent on it.
    mutating func allows(after error: any Error, opened: Bool) -> Bool {
        if !opened, kept > 0, Self.isEnd(error) {
            kept -= 1
            return true
        }
        defer { isUsed = true }
        return !isUsed
    }

    /// Whether a connection ended that was there.
    private static func isEnd(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as NIOSSLError: error == .uncleanShutdown
        case let error as IOError: error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
        case let error as ChannelError: error == .ioOnClosedChannel || error == .inputClosed || error == .outputClosed
        default: false
        }
    }
}
