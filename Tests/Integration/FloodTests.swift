import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// One program that calls without end keeps no other waiting. What is counted are answers, not seconds.
@Suite final class FloodTests: ObservedFolderSuite {
    /// What somebody may send without end, of what is answered at once: the rest waits for others, up to a bound.
    enum Kind: String, CaseIterable {
        case requests, updates, statuses, panel, folders, menus, observers, pages, attributes, flushes, images

        /// Whether it is a provider that sends it.
        var isProviders: Bool { [.updates, .statuses, .folders, .flushes, .images].contains(self) }
    }

    /// - Parameter answered: gets the number of the answer among all that the service sent.
    private func send(_ kind: Kind, from bus: Connection, _ answered: @escaping (UInt32) -> Void) {
        let place = DBusValue.string(directory)
        func call(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
            bus.call(
                Names.service, path, interface, member,
                { for argument in arguments { try $0.append(value: argument) } },
                { result in if case .success(let reply) = result { answered(reply.serial) } })
        }
        let path = Names.servicePath
        switch kind {
        case .requests: call(path, Names.host, "RequestBadges", [place, .strings(["a", "b"]), .map([:])])
        case .updates:
            let rows = Row.columns((0..<5).map { Row(name: "n\($0)", badge: "synced") })
            call(path, Names.registry, "UpdateBadges", [place] + rows + [.map([:])])
        case .statuses:
            call(path, Names.registry, "SetFolderStatus", [place, .uint32(1), .string("Fine"), .byte(255), .map([:])])
        case .folders:
            call(path, Names.registry, "SetFolders", [FakeProvider.offers([directory], watch: false), .map([:])])
        case .menus: call(path, Names.host, "GetMenu", [.uint32(0), .string(""), .strings([directory]), .map([:])])
        case .observers: call(path, Names.host, "BeginObserving", [place, .map([:])])
        case .pages:
            call(path, Names.host, "RequestDirectory", [place, .string(""), .uint32(100), .map([:])])
        case .attributes: call(path, Names.host, "GetAttributes", [place, .strings(["state"]), .map([:])])
        case .flushes: call(path, Names.registry, "Flush", [place, .map([:])])
        case .images: call(path, Names.registry, "SetBadgeImages", [.array(element: "(sss)", []), .map([:])])
        case .panel:
            call(
                "/MenuBar", "com.canonical.dbusmenu", "GetLayout", [.int32(0), .int32(-1), .strings([])])
        }
    }

    @Test(
        "Of a hundred calls of one program that came earlier no more are answered before another's than twice its own",
        arguments: Kind.allCases)
    func othersHaveTheirTurns(kind: Kind) throws {
        let panel = try StandInPanel(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let flooding = kind.isProviders ? provider.bus : try world.connect()
        if [.requests, .pages].contains(kind) {
            _ = try world.call(
                flooding, Names.service, Names.servicePath, Names.host, "BeginObserving",
                [.string(directory), .map([:])])
        }
        let other = try world.connect()
        // So many fit into the service's socket.
        let count = 120
        let ownCount = 10
        var flood: [UInt32] = []
        var own: [UInt32] = []
        // What is sent while the service stands still is before it all at once, the other's calls last.
        world.service?.signal(SIGSTOP)
        for _ in 0..<count { send(kind, from: flooding) { flood.append($0) } }
        try world.until("the flood is on its way") { flooding.outgoingBytes == 0 }
        for _ in 0..<ownCount { send(.observers, from: other) { own.append($0) } }
        try world.until("the calls are on their way") { other.outgoingBytes == 0 }
        for bus in [flooding, other] {
            // The bus answers this when it has passed on what was sent before.
            _ = try world.call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", [])
        }
        world.service?.signal(SIGCONT)
        try world.until("everything is answered") { flood.count == count && own.count == ownCount }
        let last = try #require(own.max())
        let before = flood.count { $0 < last }
        #expect(before <= 2 * ownCount, "\(before) of \(count) were answered before")
    }

    @Test("A host whose questions a provider does not answer does not keep another's from it")
    func othersAreAskedFor() throws {
        provider.hold("GetMenu")
        provider.hold("RequestBadges")
        let flooding = try world.connect()
        _ = try world.call(
            flooding, Names.service, Names.servicePath, Names.host, "BeginObserving", [.string(directory), .map([:])])
        var handled = 0
        for number in 0..<400 {
            send(.menus, from: flooding) { _ in handled += 1 }
            flooding.call(
                Names.service, Names.servicePath, Names.host, "RequestBadges",
                {
                    try $0.append(directory)
                    try $0.append(strings: ["name-\(number)"])
                    try $0.append(map: [:])
                }, { _ in handled += 1 })
        }
        try world.until("the flood is answered, without the provider") { handled == 800 }
        let before = provider.calls.count
        #expect(before < 100, "the provider was asked \(before) questions for the one")
        _ = host.send("RequestBadges", [.string(directory), .strings(["wanted"])])
        _ = host.send("GetMenu", [.uint32(0), .string(""), .strings([directory + "/wanted"])])
        try world.until("the provider is asked for the other") {
            provider.calls("RequestBadges").contains { $0.names == ["wanted"] }
                && provider.calls("GetMenu").contains {
                    $0.arguments.count > 2 && $0.arguments[2].strings == [directory + "/wanted"]
                }
        }
        #expect(provider.calls.count <= before + 2)
    }
}
