import DBus
import RoundelBus
import StandInServices
import TestSupport
import Testing

@testable import Client

/// The states of folders as a stream of values, with services that the test plays.
@Suite(.serialized) struct StatusWatchTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func status(_ state: Badge) -> SyncFolderStatus {
        SyncFolderStatus(id: "f", uri: "file:///d", state: state)
    }

    private func worker(_ states: Badge...) async throws -> StandInWorker {
        try await StandInWorker(
            on: bus,
            ["Status": .values([.maps(states.map { status($0).map })], more: ["watching": .bool(true)])])
    }

    @Test("What is known comes at once, then each change, until the bus is gone")
    func updates() async throws {
        let worker = try await worker(.pending)
        let connection = try await bus.connect()
        var reports = StatusWatch(bus: connection).updates().makeAsyncIterator()
        let first = try #require(await reports.next())
        #expect(first.state == .badge(.pending) && first.isWatching == true)
        try await worker.emit("StatusChanged", [.string("f"), .map(status(.synced).map)])
        var last = first
        while last.state != .badge(.synced) { last = try #require(await reports.next()) }
        #expect(last.folders.count == 1)
        await connection.close()
        #expect(try await reports.next() == nil)
    }

    @Test("An item outside of every folder is an error, and one inside chooses its folder")
    func items() async throws {
        let worker = try await worker(.synced)
        let connection = try await bus.connect()
        let inside = StatusWatch(bus: connection, item: try ItemURI("file:///d/x"))
        #expect(try await inside.current(within: .seconds(240)).folders.map(\.uri.uri) == ["file:///d"])
        let elsewhere = try ItemURI("file:///elsewhere")
        await #expect(throws: ClientError.notInFolder(elsewhere)) {
            try await StatusWatch(bus: connection, item: elsewhere).current(within: .seconds(240))
        }
        withExtendedLifetime(worker) {}
    }

    @Test("Whoever follows the folders is told that the worker fails beside the service, and that it is back")
    func absenceWhileFollowing() async throws {
        let host = try await StandInHost(on: bus, folder: "file:///d")
        let worker = try await worker()
        worker.answer("Status", .error("Failed", "It broke."))
        var reports = StatusWatch(bus: try await bus.connect()).updates().makeAsyncIterator()
        var report = try #require(await reports.next())
        while report.absence == nil { report = try #require(await reports.next()) }
        #expect(report.folders.map(\.uri.uri) == ["file:///d"])
        worker.answer("Status", .values([.maps([status(.synced).map])], more: ["watching": .bool(true)]))
        try await worker.emit("FoldersChanged", [])
        while report.absence != nil { report = try #require(await reports.next()) }
        #expect(report.state == .badge(.synced))
        withExtendedLifetime(host) {}
    }

    @Test("A worker that does not answer is named as the reason, and a missing one only where nothing else is known")
    func absence() async throws {
        let folder = "file:///d"
        let host = try await StandInHost(on: bus, folder: folder)
        let connection = try await bus.connect()
        let alone = try await StatusWatch(bus: connection).current(within: .seconds(240))
        #expect(alone.absence == nil && alone.folders.map(\.state) == [.badge(.syncing)])
        let worker = try await worker()
        worker.answer("Status", .error("Failed", "It broke."))
        let failed = try await StatusWatch(bus: connection).current(within: .seconds(240))
        #expect(failed.absence == .failed(DBusError(name: Names.errorPrefix + "Failed", message: "It broke.")))
        await host.connection.close()
        await #expect(throws: DBusError.self) {
            try await StatusWatch(bus: connection).current(within: .seconds(240))
        }
    }
}
