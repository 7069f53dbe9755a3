package import DBus

/// Saves the small files of the service's state. A disk may keep whoever writes to it waiting for as long as it likes, so
/// each file is written by a thread of its own, while the loop goes on.
///
/// A file is written once at a time. Of what is to be saved meanwhile, the latest is written afterwards.
package final class StateSaver {
    /// Writes a file; returns a sentence that says why it could not.
    package typealias Write = @Sendable () -> String?
    /// Called on the loop once the file was written, or with a sentence that says why it could not be.
    package typealias Finish = (_ problem: String?) -> Void

    private struct Job {
        let write: Write
        let finish: Finish
    }

    /// A file that is being written.
    private struct File {
        let finish: Finish
        /// What is written afterwards.
        var next: Job?
    }

    private struct Outcome {
        let file: String
        let problem: String?
    }

    private var work: BackgroundWork<Outcome>?
    private var files: [String: File] = [:]
    private var idleHandlers: [() -> Void] = []

    /// A saver whose files are finished on this loop.
    package init(loop: EventLoop) throws(DBusError) {
        work = try BackgroundWork(loop, name: "state") { [weak self] in self?.end($0) }
    }

    /// Saves a file. Something later may be saved in its place; then only that is finished.
    ///
    /// - Parameters:
    ///   - file: tells it from others.
    ///   - write: called on another thread.
    package func save(_ file: String, _ write: @escaping Write, _ finish: @escaping Finish) {
        let job = Job(write: write, finish: finish)
        if files[file] == nil { begin(file, job) } else { files[file]?.next = job }
    }

    /// Calls `body` once nothing is left to be written: at once, if nothing is.
    package func whenIdle(_ body: @escaping () -> Void) {
        if files.isEmpty { body() } else { idleHandlers.append(body) }
    }

    private func begin(_ file: String, _ job: Job) {
        files[file] = File(finish: job.finish)
        let write = job.write
        do {
            try work?.start { Outcome(file: file, problem: write()) }
        } catch {
            // Where the system gives no thread, late is better than not at all.
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
