import Support
package import SystemPackage

/// Runs work that may wait for a disk, each piece on its own thread, while the loop continues. The results are handled
/// on the loop. A thread ends with its work, so there are no idle threads.
package final class BackgroundWork<Outcome: Sendable> {
    private let name: String
    private let outcomes = Mailbox<Outcome>()
    private let wakeup: Wakeup

    /// - Parameters:
    ///   - name: The name of the threads, at most 15 bytes.
    ///   - handler: Called on the loop with each outcome, in the order in which the pieces end.
    package init(_ loop: EventLoop, name: String, _ handler: @escaping (Outcome) -> Void) throws(DBusError) {
        self.name = name
        wakeup = try loop.makeWakeup { [outcomes] in for outcome in outcomes.takeAll() { handler(outcome) } }
    }

    /// Starts a piece of work.
    ///
    /// - Throws: The error of the system if no thread can be created.
    package func start(_ work: @escaping @Sendable () -> Outcome) throws(Errno) {
        try DetachedThread.start(name) { [outcomes, wakeup] in
            if outcomes.put(work()) { wakeup.signal() }
        }
    }
}
