import DBus
import TestSupport
import Testing

@testable import SyncService

@Suite("What the desktop's portal says about proxies, on a bus")
struct ProxyPortalTests {
    private let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    private func standIn(answer: [String]?) async throws -> StandInProxyPortal {
        try await StandInProxyPortal(on: bus.address, answer: answer)
    }

    @Test("It is asked with the server's address alone, and its answer is given as it is")
    func answers() async throws {
        let desktop = try await standIn(answer: ["http://proxy:3128", "direct://"])
        try await desktop.begin()
        let portal = ProxyPortal(on: bus.address)
        #expect(await portal.proxies(for: "https://cloud.example.org") == ["http://proxy:3128", "direct://"])
        #expect(desktop.asked == ["https://cloud.example.org/"])
        desktop.answer(with: (0..<1000).map { "http://proxy\($0):1" })
        #expect(await portal.proxies(for: "https://cloud.example.org")?.count == 16)
    }

    @Test("Nobody answers: a portal that hangs, and no bus")
    func silence() async throws {
        let desktop = try await standIn(answer: nil)
        try await desktop.begin()
        #expect(await ProxyPortal(on: bus.address).proxies(for: "https://cloud.example.org") == nil)
        #expect(desktop.asked.count == 1)
        #expect(await ProxyPortal(on: .address("unix:path=/nowhere")).proxies(for: "https://a") == nil)
    }

    @Test("Another network and another portal are counted, so that it is asked again")
    func changes() async throws {
        let desktop = try await standIn(answer: [])
        try await desktop.begin()
        let portal = ProxyPortal(on: bus.address)
        _ = await portal.proxies(for: "https://cloud.example.org")
        // The portal that is there counts once.
        try await eventually("the portal is known") { portal.changes == 1 }
        try await desktop.tellOfAnotherNetwork()
        try await eventually("the other network is known") { portal.changes == 2 }
        try await desktop.end()
        try await eventually("its end is known") { portal.changes == 3 }
        try await desktop.begin()
        try await eventually("it is known to be back") { portal.changes == 4 }
    }
}
