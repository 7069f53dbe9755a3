internal import DBus
internal import RoundelBus

extension MethodCall {
    /// Replies with a result and no extras, or fails.
    func answer<Value>(
        _ result: Result<Value, WorkerError>, _ write: (inout MessageWriter, Value) throws -> Void
    ) {
        switch result {
        case .success(let value):
            reply { writer in
                try write(&writer, value)
                try writer.appendNoExtras()
            }
        case .failure(let error): fail(error.busError)
        }
    }
}
