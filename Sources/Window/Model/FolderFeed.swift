package import Client
package import DBus
package import RoundelBus
internal import Support

/// Follows the folders, and goes on where the services went away.
package struct FolderFeed: Sendable {
    private let bus: AsyncConnection

    /// The folders on this bus.
    package init(bus: AsyncConnection) { self.bus = bus }

    /// What is known of the folders, at every change, until the bus is gone.
    package func knowledge() -> AsyncStream<Knowledge> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last = StatusReport([])
                while !Task.isCancelled {
                    do {
                        for try await report in StatusWatch(bus: bus).updates() {
                            last = report
                            continuation.yield(Knowledge(report, .live))
                        }
                        break
                    } catch is CancellationError {
                        break
                    } catch {
                        continuation.yield(Knowledge(last, .lost(Sentence.of(error))))
                        try? await Task.sleep(for: Patience.Window.again)
                    }
                }
                continuation.yield(Knowledge(last, .lost(Sentence.of(ClientError.busClosed))))
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The problems of all folders, as far as engines answer.
    package func problems() async -> FoundProblems {
        let engines = Engines(bus: bus)
        async let conflicts = conflicts(asksAuthors: false)
        async let problems = engines.ask(nil) { (engine: FoldersProxy) in try await engine.problems("") }
        let told = (try? await problems)?.answers ?? []
        return FoundProblems(
            conflicts: await conflicts, problems: told.flatMap(\.problems), more: told.map(\.more).reduce(0, +))
    }

    /// The conflicts of all folders, as far as engines answer.
    /// - Parameter asksAuthors: Whether servers are asked who wrote their versions, which takes some seconds at most.
    package func conflicts(asksAuthors: Bool) async -> [SyncConflict] {
        let told = try? await Engines(bus: bus).ask(nil) { (engine: ConflictsProxy) in
            try await engine.conflicts(at: "", asksAuthors: asksAuthors)
        }
        return told?.answers.flatMap(\.self) ?? []
    }

    /// What syncing did lately, and then what it does.
    package func activity() async throws -> AsyncThrowingStream<[SyncActivity], any Error> {
        try await ActivityLog(bus: bus).follow(after: UInt32(ActivityPage.limit))
    }
}

extension StatusReport {
    /// What problems depend on: while it stays the same, they need not be asked for.
    package var troubles: [String] {
        folders.compactMap { folder in
            guard let details = folder.details else { return nil }
            let counts = "\(details.conflicts) \(details.errors) \(details.itemsTotal)"
            return "\(folder.uri) \(counts) \(details.state) \(details.text)"
        }
    }
}
