package import DBus

/// Saves the service's small state files. Writing may block for any time, so each file is written on a thread of its
/// own while the loop continues.
///
/// A file is written once at a time. If it is saved again meanwhile, only the latest version is written afterwards.
package final class StateSaver {
    /// Writes a file; returns a sentence with the reason if that fails.
    package typealias Write = @Sendable () -> String?
    /// Called on the loop once the file was written, or with a sentence that explains why it could not be.
    package typealias Finish = (_ problem: String?) -> Void

    private struct Job {
        let write: Write
        let finish: Finish
    }

    /// A file that is being written.
    private struct File {
        let finish: Finish
        /// The version to write afterwards.
        var next: Job?
    }

    private struct Outcome {
        let file: String
        let problem: String?
    }

    private let loop: EventLoop
    private var work: BackgroundWork<Outcome>?
    private var files: [String: File] = [:]
    private var idleHandlers: [() -> Void] = []

    /// Creates a saver that reports results on this loop.
    package init(loop: EventLoop) throws(DBusError) {
        self.loop = loop
        work = try BackgroundWork(loop, name: "state") { [weak self] in self?.end($0) }
    }

    /// Saves a file. A later version may replace it before it is written; then only that one is reported.
    ///
    /// - Parameters:
    ///   - file: Identifies the file.
    ///   - write: Called on another thread.
    package func save(_ file: String, _ write: @escaping Write, _ finish: @escaping Finish) {
        let job = Job(write: write, finish: finish)
        if files[file] == nil { begin(file, job) } else { files[file]?.next = job }
    }

    /// Calls `body` once nothing is left to be written; immediately if nothing is.
    package func whenIdle(_ body: @escaping () -> Void) {
        if files.isEmpty { body() } else { idleHandlers.append(body) }
    }

    /// Calls `body` once nothing is left to be written, or after `limit`.
    func whenIdle(within limit: Duration, _ body: @escaping () -> Void) {
        var rest: (() -> Void)? = body
        let end = {
            rest?()
            rest = nil
        }
        let timer = loop.makeTimer(end)
        timer.set(after: limit)
        whenIdle {
            timer.cancel()
            end()
        }
    }

    private func begin(_ file: String, _ job: Job) {
        files[file] = File(finish: job.finish)
        let write = job.write
        do {
            try work?.start { Outcome(file: file, problem: write()) }
        } catch {
            // If no thread can be created, blocking the loop is better than not saving.
            end(Outcome(file: file, problem: write()))
        }
    }

    private func end(_ outcome: Outcome) {
        guard let ended = files.removeValue(forKey: outcome.file) else { return }
        if let next = ended.next { begin(outcome.file, next) }
        ended.finish(outcome.problem)
        guard files.isEmpty else { return }
        let handlers = idleHandlers
        idleHandlers = []
        for body in handlers { body() }
    }
}
