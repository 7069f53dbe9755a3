internal import DBus
internal import RoundelBus

/// A refusal by the worker's own interface: a name for programs and a sentence for the user.
typealias WorkerError = RoundelError

extension WorkerError {
    /// The error in the form for the bus.
    var busError: DBusError { DBusError(self) }
}
