internal import DBus
internal import RoundelBus

/// A refusal of the worker's own interface: a name that programs compare and a sentence for a person.
typealias WorkerError = RoundelError

extension WorkerError {
    /// The error as it goes over the bus.
    var busError: DBusError { DBusError(self) }
}
