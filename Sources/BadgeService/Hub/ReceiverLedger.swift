/// Counts the data sent to each receiver of signals that it is not known to have read, so that a receiver that does not
/// read is detected before the bus has to store its messages without limit.
///
/// The bus does not report how much a receiver has read. So after some bytes the receiver gets a ping, and when it
/// responds, everything sent before the ping counts as read.
struct ReceiverLedger {
    /// The maximum number of unread bytes for a receiver, not counting the signal that it may be reading now.
    static let limit = 1 << 20
    /// The number of unread bytes after which a ping is sent.
    private static let pingAfter = limit / 4

    private struct Account {
        var unread = 0
        var unreadAtPing = 0
        /// The size of the first signal that is not known to be read, and of the first after the ping. A signal of a
        /// hundred thousand rows exceeds the limit, and takes time to read.
        var oldest = 0
        var oldestAfterPing = 0
        var isPinged = false
        var isBehind = false
    }

    private var accounts: [String: Account] = [:]

    enum Advice: Equatable {
        /// Send it.
        case send
        /// Send it, then a ping.
        case sendAndPing
        /// Drop it; the receiver has just fallen behind.
        case fellBehind
        /// Drop it; the receiver already was behind.
        case drop
    }

    /// Decides what to do with a signal of about `bytes` bytes.
    mutating func willSend(_ bytes: Int, to client: String) -> Advice {
        var account = accounts[client] ?? Account()
        defer { accounts[client] = account }
        if account.isBehind { return .drop }
        if account.unread - account.oldest > Self.limit {
            account.isBehind = true
            return .fellBehind
        }
        if account.oldest == 0 { account.oldest = bytes }
        if account.oldestAfterPing == 0 { account.oldestAfterPing = bytes }
        account.unread += bytes
        guard account.unread > Self.pingAfter, !account.isPinged else { return .send }
        account.isPinged = true
        account.unreadAtPing = account.unread
        account.oldestAfterPing = 0
        return .sendAndPing
    }

    /// Called when the receiver responded to the ping, even with an error: it has read everything before it.
    /// - Returns: Whether enough was sent since then that the next ping is due.
    mutating func answered(_ client: String) -> Bool {
        guard var account = accounts[client] else { return false }
        account.unread -= account.unreadAtPing
        account.oldest = account.oldestAfterPing
        account.oldestAfterPing = 0
        account.isPinged = account.unread > Self.pingAfter
        account.unreadAtPing = account.unread
        account.isBehind = false
        accounts[client] = account.unread > 0 ? account : nil
        return account.isPinged
    }

    /// Called when the receiver has left.
    mutating func forget(_ client: String) {
        accounts[client] = nil
    }
}
