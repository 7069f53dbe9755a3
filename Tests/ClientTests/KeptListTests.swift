import DBus
import StandInServices
import TestSupport
import Testing

@testable import Client
@testable import RoundelBus

/// What several engines keep, put together part by part. The worker stands in for both.
@Suite(.serialized) struct KeptListTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func items(_ times: Int64...) -> [SyncTrashItem] {
        times.map {
            SyncTrashItem(
                id: "\($0)", folder: "f", uri: "file:///d/\($0)", reason: WireWord(.deleted), place: WireWord(.store),
                time: $0)
        }
    }

    private func list(_ parts: TrashProxy.Listing...) async throws -> KeptList {
        let proxy = TrashProxy(bus: try await bus.connect())
        let results = parts.map { part in
            (Engine.bundled, Result<(engine: TrashProxy, part: TrashProxy.Listing), any Error>.success((proxy, part)))
        }
        return KeptList(try EngineAnswers(results.map { (engine: $0.0, result: $0.1) }))
    }

    @Test("An item comes before all older ones of every engine, and no engine is asked before its part is taken")
    func order() async throws {
        let worker = try await StandInWorker(
            on: bus,
            [
                "ListTrash": .values(
                    [.maps(items(5, 1).map(\.map))], more: ["unlisted": .strings(["file:///e", "file:///d"])])
            ])
        var list = try await list(
            .init(items: items(9, 7), next: "7", unlisted: ["file:///d"]), .init(items: items(8, 3), unlisted: []))
        #expect(list.takeUnlisted() == ["file:///d"])
        #expect(list.takeNewest().map(\.time) == [9, 8, 7] && worker.calls.isEmpty)
        #expect(await list.readOn())
        #expect(worker.calls.count == 1 && worker.calls[0][2] == .map(["after": .string("7")]))
        #expect(list.takeUnlisted() == ["file:///e"])
        #expect(list.takeNewest().map(\.time) == [5, 3, 1])
        #expect(await !list.readOn() && list.failures.isEmpty && worker.calls.count == 1)
    }

    @Test("An engine that does not list its next part hides nothing of the others, and its error is kept")
    func failure() async throws {
        let worker = try await StandInWorker(on: bus, ["ListTrash": .error("Failed", "It broke.")])
        var list = try await list(
            .init(items: [], next: "9", unlisted: []), .init(items: items(8, 3), unlisted: []))
        #expect(list.takeNewest().isEmpty)
        #expect(await list.readOn())
        #expect(list.takeNewest().map(\.time) == [8, 3])
        #expect(await !list.readOn())
        #expect(list.failures.map { ($0 as? DBusError)?.message } == ["It broke."])
        withExtendedLifetime(worker) {}
    }
}
