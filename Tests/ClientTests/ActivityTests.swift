import DBus
import RoundelBus
import StandInServices
import TestSupport
import Testing

@testable import Client

@Suite struct ActivityTests {
    private func entry(_ folder: String, _ sequence: UInt64) -> SyncActivity {
        SyncActivity(sequence: sequence, time: 0, folder: folder, uri: "file:///\(folder)", action: "uploaded")
    }

    @Test("An entry is new once, and each folder counts by itself")
    func seen() {
        var seen = SeenActivity()
        #expect(seen.unseen([entry("old", 9_999), entry("new", 4)]).map(\.sequence) == [9_999, 4])
        let more = [entry("new", 4), entry("old", 10_000), entry("new", 5), entry("old", 9_999)]
        #expect(seen.unseen(more) == [entry("old", 10_000), entry("new", 5)])
    }

    @Test("The newest come first, then what is added; for none the worker is not asked")
    func following() async throws {
        let bus = try PrivateBus()
        let worker = try await StandInWorker(on: bus, ["Activity": .values([.maps([entry("f", 1).map])])])
        let log = ActivityLog(bus: try await bus.connect())
        #expect(try await log.newest(0).entries.isEmpty && worker.calls.isEmpty)
        var batches = try await log.follow(after: 7).makeAsyncIterator()
        #expect(try await batches.next() == [entry("f", 1)])
        #expect(worker.calls.first?.dropFirst().first == .uint32(7))
        try await worker.emit("ActivityAdded", [.maps([entry("f", 1).map, entry("f", 2).map])])
        #expect(try await batches.next() == [entry("f", 2)])
    }
}
