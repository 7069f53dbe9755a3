import DBus
import RoundelBus
import StandInServices
import TestSupport
import Testing

@testable import Client

/// Where contents are and what is asked about them, with services that the test plays.
@Suite("Contents of items", .serialized) struct ContentsTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private static let online: VariantMap = [
        "contents": .string("online"), "bytes-online": .uint64(7), "files-online": .uint64(1),
    ]

    @Test("Attributes say where contents are; without theirs, or with a word of a later version, that is not known")
    func attributes() {
        var expected = ItemContents(.partly)
        (expected.bytesHere, expected.bytesOnline, expected.filesHere, expected.filesOnline) = (1, 2, 3, 4)
        expected.isPinned = true
        let attributes: [AttributeKey: AttributeValue] = [
            .contents: .string("partly"), .bytesHere: .unsigned(1), .bytesOnline: .unsigned(2),
            .filesHere: .unsigned(3), .filesOnline: .unsigned(4), .pinned: .truth(true),
        ]
        #expect(ItemContents(attributes) == expected && expected.bytes == 3)
        #expect(ItemContents([.contents: .string("here")]) == ItemContents(.here))
        #expect(ItemContents([.contents: .string("elsewhere")]) == nil && ItemContents([:]) == nil)
    }

    @Test("A listing asks for the contents of each item, however many there are, in a folder on demand alone")
    func listing() async throws {
        let host = try await StandInHost(on: bus, folder: "file:///d")
        let directory = try ItemURI("file:///d")
        let names = try (0..<150).map { try ItemName("n\($0)") }
        let proxy = HostProxy(bus: try await bus.connect())
        #expect(await proxy.contents(of: names, in: directory).isEmpty)
        #expect(host.asked == ["GetAttributes file:///d"])
        host.set(Self.online, of: "file:///d")
        for name in names.dropLast() { host.set(Self.online, of: directory.appending(name).uri) }
        let found = await proxy.contents(of: names, in: directory)
        #expect(found.count == 149 && found.values.allSatisfy { $0.place == .online && $0.bytesOnline == 7 })
    }

    @Test("The items of one engine are named in one call, in their order, and its failure is the call's")
    func oneCall() async throws {
        let host = try await StandInHost(on: bus, folder: "file:///d")
        let worker = try await StandInWorker(on: bus, [:])
        var result = SyncContentsResult()
        (result.files, result.failed, result.items) = (1, 1, [.init(uri: "file:///d/b", message: "m")])
        worker.answer("Free", .values([.map(result.map)]))
        let items = try ["file:///d/c", "file:///e", "file:///d/b"].map { try ItemURI($0) }
        let engines = Engines(bus: try await bus.connect())
        let outcome = try await engines.move(.free, items).outcome()
        #expect(outcome.result == result && outcome.failures.isEmpty)
        #expect(worker.calls == [[.string("Free"), .strings(items.map(\.uri)), .map([:])]])
        worker.answer("Free", .error("Failed", "no"))
        await #expect(throws: DBusError.self) { try await engines.move(.free, items).outcome() }
        withExtendedLifetime(host) {}
    }

    @Test("A rule changes only where it is told to")
    func rule() {
        var rule = SyncFreeingRule()
        (rule.freeBelow, rule.freeUnused) = (1, 2)
        var change = OnDemandChange()
        #expect(!change.changesRule)
        change.freeUnused = 0
        change.apply(to: &rule)
        #expect(change.changesRule && rule.freeBelow == 1 && rule.freeUnused == 0)
    }

    @Test("What is known of an item is its attributes, its own problem before their reason, and those in it")
    func facts() async throws {
        let host = try await StandInHost(on: bus, folder: "file:///d")
        host.set(["state": .string("error"), "message": .string("Something.")], of: "file:///d/a")
        let own = SyncProblem(folder: "1", uri: "file:///d/a", state: .error, message: "Its own.")
        let inside = SyncProblem(folder: "1", uri: "file:///d/a/b", state: .error, message: "Another.")
        let worker = try await StandInWorker(on: bus, ["Problems": .values([.maps([inside.map, own.map])])])
        let engines = Engines(bus: try await bus.connect())
        let facts = try await ItemFacts(of: ItemURI("file:///d/a"), engines: engines)
        #expect(facts.state == .error && facts.reason == "Its own." && facts.inside == [inside])
        worker.answer("Problems", .error("Failed", "no"))
        #expect(try await ItemFacts(of: ItemURI("file:///d/a"), engines: engines).reason == "Something.")
        await #expect(throws: ClientError.notInFolder(try ItemURI("file:///x"))) {
            try await ItemFacts(of: ItemURI("file:///x"), engines: engines)
        }
    }
}
