/// Counts what was sent to each receiver of signals and not yet seen to be read, so that one that does not read is
/// noticed before the bus has to hold its messages without end.
///
/// The bus does not tell how far a receiver has read. So after some bytes the receiver is asked to answer a ping, and
/// what was sent before the ping counts as read when the answer comes.
struct ReceiverLedger {
    /// What may be under way to a receiver, in bytes, besides the signal that it may be reading now.
    static let limit = 1 << 20
    /// After so many unread bytes a ping is sent.
    private static let pingAfter = limit / 4

    private struct Account {
        var unread = 0
        var unreadAtPing = 0
        /// The first signal that is not known to be read, and the first after the ping: one of a hundred thousand rows is
        /// larger than the limit, and takes time to read.
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
        /// Drop it; the receiver is known to be behind.
        case drop
    }

    /// What to do with a signal of about `bytes` bytes.
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

    /// The receiver answered the ping, be it with an error: it has read everything before it.
    /// - Returns: whether so much was sent since that the next ping is due.
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

    /// The receiver has left.
    mutating func forget(_ client: String) {
        accounts[client] = nil
    }
}
