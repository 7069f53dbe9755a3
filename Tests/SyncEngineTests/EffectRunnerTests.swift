import SyncCore
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct EffectRunnerTests {
    private final class Results: Sendable {
        let stream: AsyncStream<EffectResult>
        private let told: AsyncStream<EffectResult>.Continuation

        init() { (stream, told) = AsyncStream.makeStream() }

        func tell(_ report: EffectRunner.Report) {
            if case .finished(_, let result) = report { told.yield(result) }
        }
    }

    @Test func whatIsStagedWhenARunnerIsRetiredIsDiscarded() async throws {
        let world = try EndpointWorld()
        try world.folder.write("placed", to: "a")
        try world.folder.write("not placed", to: "b")
        let results = Results()
        let runner = EffectRunner(local: world.local, remote: world.remote, limit: 2) { results.tell($0) }
        var iterator = results.stream.makeAsyncIterator()
        func carryOut(_ effect: Effect) async -> EffectResult? {
            runner.run([(EffectID(1), effect)])
            return await iterator.next()
        }
        for (name, stage) in [("a", StageID(1)), ("b", StageID(2))] {
            let path = RelativePath(text: name)
            let expected = try world.version(.local, name)
            var result: EffectResult?
            repeat {
                result = await carryOut(.stage(stage, from: .local, path, expected: expected))
            } while result?.isBusy == true
            guard case .staged = result else { throw EffectFailure(.io) }
        }
        _ = await carryOut(
            .publish(StageID(1), .remote, RelativePath(text: "a"), expected: nil, permissions: nil))
        #expect(world.remote.stagedFile(StageID(2)) != nil)
        runner.retire()
        try await eventually("it is discarded") { world.remote.stagedFile(StageID(2)) == nil }
        #expect(try world.remoteFolder.read("a") == "placed")
    }

    /// What a runner reports, in order.
    private final class Order: Sendable {
        private let reports = Mutex<[EffectRunner.Report]>([])

        func tell(_ report: EffectRunner.Report) { reports.withLock { $0.append(report) } }

        var begun: [EffectID] {
            reports.withLock { $0 }.compactMap { if case .began(let id) = $0 { id } else { nil } }
        }

        var results: [EffectID: EffectResult] {
            reports.withLock { $0 }.reduce(into: [:]) { results, report in
                if case .finished(let id, let result) = report { results[id] = result }
            }
        }
    }

    /// Transfers of files with these numbers that wait for a runner which starts nothing yet.
    private func waiting(
        _ numbers: ClosedRange<UInt64>, in world: EndpointWorld, _ order: Order, limit: Int = 2
    ) throws -> EffectRunner {
        let effects = try numbers.map { number in
            let name = "\(number)"
            try world.folder.write(name, to: name)
            let path = RelativePath(text: name)
            let expected = try world.version(.local, name)
            return (EffectID(number), Effect.stage(StageID(number), from: .local, path, expected: expected))
        }
        let runner = EffectRunner(local: world.local, remote: world.remote, limit: limit) { order.tell($0) }
        runner.hold {}
        runner.run(effects)
        return runner
    }

    @Test func whatSomebodyWaitsForGoesBeforeWhatWaitsLonger() async throws {
        let (world, order) = (try EndpointWorld(), Order())
        // With one lane, the order of reports is that of the effects, also where a thread gets no processor for long.
        let runner = try waiting(1...60, in: world, order, limit: 1)
        runner.hasten([EffectID(60): .awaited, EffectID(59): .demanded, EffectID(99): .awaited])
        runner.goOn()
        try await eventually("all have ended") { order.results.count == 60 }
        for id in [EffectID(60), EffectID(59)] {
            let place = try #require(order.begun.firstIndex(of: id))
            #expect(place < 20, "\(id) was at \(place)")
        }
    }

    @Test func whatNobodyWantsAnyMoreEndsAtOnce() async throws {
        let (world, order) = (try EndpointWorld(), Order())
        let runner = try waiting(1...3, in: world, order)
        runner.abandon([EffectID(2), EffectID(99)])
        #expect(order.results[EffectID(2)] == .failed(EffectFailure(.changed, Explanation(.abandoned))))
        runner.goOn()
        try await eventually("all have ended") { order.results.count == 3 }
        #expect(order.results[EffectID(1)] != nil && !order.begun.contains(EffectID(2)))
    }
}

extension EffectResult {
    /// Whether a child of another test has the file open in this moment.
    fileprivate var isBusy: Bool {
        if case .failed(let failure) = self { failure.reason == .busy } else { false }
    }
}
