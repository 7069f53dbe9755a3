internal import CGtk4

/// The thread of the window: GTK's, which runs GLib's main loop. Everything that touches a widget is isolated to it.
///
/// The main actor would not do: its jobs wait for libdispatch's main queue, which GLib's loop does not run.
@globalActor
package actor Interface {
    /// The one instance.
    package static let shared = Interface()

    private let executor = MainContextExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs what is isolated to this actor where the compiler does not know that it runs in GLib's main loop: in a
    /// callback of GTK. It traps anywhere else.
    package static func assumeIsolated<Result: Sendable>(
        _ work: @Interface () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(work) { work in
            // The isolation is no part of a function's representation, and was just checked.
            try unsafeBitCast(work, to: (() throws -> Result).self)()
        }
    }
}

/// Runs jobs in GLib's default main context, in the order in which they were given.
private final class MainContextExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let work = WaitingJob(UnownedJob(job), self)
        // Events of the user and drawing have the same or a higher priority, so that a flood of jobs delays neither.
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { data in
                data.map { Unmanaged<WaitingJob>.fromOpaque($0).takeUnretainedValue().run() }
                return G_SOURCE_REMOVE
            },
            Unmanaged.passRetained(work).toOpaque(),
            { data in data.map { Unmanaged<WaitingJob>.fromOpaque($0).release() } })
    }

    func checkIsolated() { precondition(g_main_context_is_owner(nil) != 0, "not in GLib's main loop") }

    func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(nil) != 0 }
}

/// A job with its executor.
private final class WaitingJob: Sendable {
    private let job: UnownedJob
    private let executor: MainContextExecutor

    init(_ job: UnownedJob, _ executor: MainContextExecutor) { (self.job, self.executor) = (job, executor) }

    func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
}
