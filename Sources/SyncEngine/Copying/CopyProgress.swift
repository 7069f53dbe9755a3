internal import Support
internal import Synchronization

/// How far a ``CopyTask`` is, and the wish to stop it. Used by the thread that copies and by the one that reports.
package final class CopyProgress: Sendable {
    /// The numbers at one moment.
    package struct Numbers: Sendable, Hashable {
        package var files = 0
        package var filesTotal = 0
        package var bytes: Int64 = 0
        package var bytesTotal: Int64 = 0

        package init() {}

        /// The part that is done, in percent.
        package var percent: Int {
            if bytesTotal > 0 { return Int(min(100, Double(bytes) / Double(bytesTotal) * 100)) }
            return filesTotal > 0 ? min(100, files * 100 / filesTotal) : 0
        }
    }

    private let state = Mutex((numbers: Numbers(), isStopped: false))

    package init() {}

    /// The numbers now.
    package var numbers: Numbers { state.withLock { $0.numbers } }

    /// Whether ``stop()`` was called.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Ends the task as soon as possible; what is incomplete is removed.
    package func stop() { state.withLock { $0.isStopped = true } }

    func expect(files: Int, bytes: Int64) {
        state.withLock {
            $0.numbers.filesTotal += files
            $0.numbers.bytesTotal = $0.numbers.bytesTotal.addingClamped(bytes)
        }
    }

    func count(files: Int = 0, bytes: Int64 = 0) {
        state.withLock {
            $0.numbers.files += files
            $0.numbers.bytes = $0.numbers.bytes.addingClamped(bytes)
        }
    }
}
