internal import DBus
internal import RoundelBus

/// A refusal by an interface of the worker: a name for programs and a sentence for the user.
typealias WorkerError = RoundelError

extension WorkerError {
    /// The error in the form for the bus.
    var busError: DBusError { DBusError(self) }
}
