internal import RoundelBus

/// Makes sure that what waits for a folder ends, also if the folder is removed or moved, or the program ends, meanwhile.
final class FolderDeparture {
    private var waiting: [UInt64: (WorkerError) -> Void] = [:]
    private var last: UInt64 = 0
    /// Why the folder is no longer followed; nil while it is.
    private(set) var reason: WorkerError?

    /// A function that passes its result to `body`. If the folder departs before it is called, or has departed already,
    /// `body` gets the reason instead, and the result is ignored.
    func until<Value>(
        _ body: @escaping (Result<Value, WorkerError>) -> Void
    ) -> (Result<Value, WorkerError>) -> Void {
        if let reason {
            body(.failure(reason))
            return { _ in }
        }
        last += 1
        let number = last
        waiting[number] = { body(.failure($0)) }
        return { [weak self] result in
            guard self?.waiting.removeValue(forKey: number) != nil else { return }
            body(result)
        }
    }

    /// Ends everything that waits, and what is to wait from now on, with a reason.
    func depart(because reason: WorkerError) {
        guard self.reason == nil else { return }
        self.reason = reason
        let bodies = waiting.sorted { $0.key < $1.key }.map(\.value)
        waiting = [:]
        for body in bodies { body(reason) }
    }
}
