import Support
package import SystemPackage

/// Work that may wait for a disk, each piece on a thread of its own, while the loop goes on. What it comes to is handled on
/// the loop. A thread ends with its work, so there is none while nothing is done.
package final class BackgroundWork<Outcome: Sendable> {
    private let name: String
    private let outcomes = Mailbox<Outcome>()
    private let wakeup: Wakeup

    /// - Parameters:
    ///   - name: of the threads, at most 15 bytes.
    ///   - handler: called on the loop with each outcome, in the order in which the pieces end.
    package init(_ loop: EventLoop, name: String, _ handler: @escaping (Outcome) -> Void) throws(DBusError) {
        self.name = name
        wakeup = try loop.makeWakeup { [outcomes] in for outcome in outcomes.takeAll() { handler(outcome) } }
    }

    /// Starts a piece.
    ///
    /// - Throws: what the system says if it gives no thread.
    package func start(_ work: @escaping @Sendable () -> Outcome) throws(Errno) {
        try DetachedThread.start(name) { [outcomes, wakeup] in
            if outcomes.put(work()) { wakeup.signal() }
        }
    }
}
