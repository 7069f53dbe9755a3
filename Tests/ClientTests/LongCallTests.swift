import DBus
import RoundelBus
import StandInServices
import TestSupport
import Testing

@testable import Client

/// Runs and other long calls, with a worker that the test plays.
@Suite(.serialized) struct LongCallTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func status(_ id: String, _ uri: String) -> [DBusValue] {
        [.string(id), .map(SyncFolderStatus(id: id, uri: uri, state: .syncing).map)]
    }

    @Test("A run tells how far its own folder is, and then what it did")
    func run() async throws {
        let worker = try await StandInWorker(on: bus, ["Sync": .silence])
        let proxy = FoldersProxy(bus: try await bus.connect())
        var events = try proxy.run("file:///a/b", options: .init()).events().makeAsyncIterator()
        try await eventually("the run begins") { !worker.calls.isEmpty }
        #expect(worker.calls == [[.string("Sync"), .string("file:///a/b"), .map(["wait": .bool(true)])]])
        try await worker.emit("StatusChanged", status("other", "file:///ab"))
        try await worker.emit("StatusChanged", status("own", "file:///a"))
        guard case .progress(let progress) = try await events.next() else { throw Failure("no progress") }
        #expect(progress.id == "own")
        await worker.connection.close()
        await #expect(throws: DBusError.self) { try await events.next() }
    }

    @Test("The outcome ends the stream")
    func outcome() async throws {
        var result = SyncVerification()
        result.files = 7
        let worker = try await StandInWorker(on: bus, ["Verify": .values([.map(result.map)])])
        let call = VerificationProxy(bus: try await bus.connect()).verification(of: "")
        #expect(try await call.outcome() == result)
        var events = try call.events().makeAsyncIterator()
        guard case .finished(result) = try await events.next() else { throw Failure("no outcome") }
        #expect(try await events.next() == nil)
        withExtendedLifetime(worker) {}
    }

    @Test("A run that takes too long is left to the worker")
    func patience() async throws {
        let worker = try await StandInWorker(on: bus, ["Sync": .silence])
        let run = FoldersProxy(bus: try await bus.connect()).run("", options: .init())
        await #expect(throws: ClientError.unfinished) { try await run.outcome(within: .milliseconds(50)) }
        withExtendedLifetime(worker) {}
    }

    @Test("Only a folder itself is removed")
    func removal() async throws {
        let folder = SyncedFolder(id: "f", uri: "file:///a", remote: "file:///r", label: "", state: .synced)
        let worker = try await StandInWorker(on: bus, ["ListFolders": .values([.maps([folder.map])])])
        let proxy = FoldersProxy(bus: try await bus.connect())
        let inside = try ItemURI("file:///a/b")
        await #expect(throws: ClientError.notAFolder(inside)) { try await proxy.removeFolder(at: inside) }
        #expect(!worker.calls.contains { $0[0] == .string("RemoveFolder") })
        _ = try await proxy.removeFolder(at: ItemURI("file:///a"))
        #expect(worker.calls.last?.prefix(2) == [.string("RemoveFolder"), .string("file:///a")])
    }
}
