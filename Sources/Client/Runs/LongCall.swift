internal import DBus
internal import RoundelBus

/// A call of an engine that takes as long as its work, and what is heard of it meanwhile.
package struct LongCall<Progress: Sendable, Outcome: Sendable>: Sendable {
    /// What is heard of a call.
    package enum Event: Sendable {
        /// How far it is.
        case progress(Progress)
        /// It has ended; nothing follows.
        case finished(Outcome)
    }

    enum Report: Sendable {
        case progress(Progress)
        case ended(Result<Outcome, any Error>)
        case impatient
    }

    private let bus: AsyncConnection
    private let follow: @Sendable (EventMerge<Report>) throws -> Void
    private let call: @Sendable () async throws -> Outcome

    /// - Parameters:
    ///   - follow: Adds the source of the progress.
    ///   - call: Begins the work and returns at its end.
    init(
        bus: AsyncConnection, follow: @escaping @Sendable (EventMerge<Report>) throws -> Void,
        call: @escaping @Sendable () async throws -> Outcome
    ) {
        self.bus = bus
        self.follow = follow
        self.call = call
    }

    /// The calls of several engines as one, with the progress of each and what they did together.
    init(
        bus: AsyncConnection, of parts: [(Engine, LongCall)], sum: @escaping @Sendable ([Outcome]) -> Outcome
    ) {
        self.init(bus: bus) { merge in
            for (_, part) in parts { try part.follow(merge) }
        } call: {
            let answers = try await Engines.answers(to: parts.map { ($0.0, $0.1.call) })
            if let failure = answers.failures.first { throw failure }
            return sum(answers.answers)
        }
    }

    /// Begins the call and follows it. If the stream is not read to its end, the call is abandoned.
    ///
    /// The stream fails with the error of the call, or with ``ClientError/unfinished`` or ``ClientError/busClosed``.
    /// - Parameter patience: How long to wait for the end; nil for no limit.
    package func events(within patience: Duration? = nil) throws -> AsyncThrowingStream<Event, any Error> {
        let merge = EventMerge<Report>()
        try follow(merge)
        return begin(merge, within: patience)
    }

    /// Carries the call out, without its progress.
    /// - Throws: As ``events(within:)``.
    package func outcome(within patience: Duration? = nil) async throws -> Outcome {
        for try await case .finished(let outcome) in begin(EventMerge<Report>(), within: patience) { return outcome }
        throw ClientError.busClosed
    }

    private func begin(
        _ merge: EventMerge<Report>, within patience: Duration?
    ) -> AsyncThrowingStream<Event, any Error> {
        if let patience { merge.add(.impatient, after: patience, on: bus) }
        return AsyncThrowingStream { continuation in
            let task = Task {
                let work = Task {
                    do {
                        merge.add(.ended(.success(try await call())))
                    } catch {
                        merge.add(.ended(.failure(error)))
                    }
                }
                defer { work.cancel() }
                for await report in merge.events {
                    switch report {
                    case .progress(let progress): continuation.yield(.progress(progress))
                    case .ended(.success(let outcome)):
                        continuation.yield(.finished(outcome))
                        return continuation.finish()
                    case .ended(.failure(let error)): return continuation.finish(throwing: error)
                    case .impatient: return continuation.finish(throwing: ClientError.unfinished)
                    }
                }
                continuation.finish(throwing: ClientError.busClosed)
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
