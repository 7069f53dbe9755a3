import SyncCore
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
}

extension EffectResult {
    /// Whether a child of another test has the file open in this moment.
    fileprivate var isBusy: Bool {
        if case .failed(let failure) = self { failure.reason == .busy } else { false }
    }
}
