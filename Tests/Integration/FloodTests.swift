import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// One program that calls without end keeps no other waiting. What is counted are answers, not seconds.
@Suite final class FloodTests: ObservedFolderSuite {
    /// What somebody may send without end, of what is answered at once: the rest waits for others, up to a bound.
    enum Kind: String, CaseIterable {
        case requests, updates, statuses, panel
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
        case .panel:
            call(
                "/MenuBar", "com.canonical.dbusmenu", "GetLayout", [.int32(0), .int32(-1), .strings([])])
        }
    }

    @Test(
        "Of a hundred calls of one program that came earlier most are answered after another's call",
        arguments: Kind.allCases)
    func othersHaveTheirTurns(kind: Kind) throws {
        let panel = try StandInPanel(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let flooding = kind == .updates || kind == .statuses ? provider.bus : try world.connect()
        if kind == .requests {
            _ = try world.call(
                flooding, Names.service, Names.servicePath, Names.host, "BeginObserving",
                [.string(directory), .map([:])])
        }
        let other = try world.connect()
        // So many fit into the service's socket.
        let count = 120
        var flood: [UInt32] = []
        var own: UInt32?
        // What is sent while the service stands still is before it all at once, the other's call last.
        world.service?.signal(SIGSTOP)
        for _ in 0..<count { send(kind, from: flooding) { flood.append($0) } }
        try world.until("the flood is on its way") { flooding.outgoingBytes == 0 }
        other.call(
            Names.service, Names.servicePath, Names.host, "BeginObserving",
            {
                try $0.append(directory)
                try $0.append(map: [:])
            }, { result in own = try? result.get().serial })
        try world.until("the call is on its way") { other.outgoingBytes == 0 }
        for bus in [flooding, other] {
            // The bus answers this when it has passed on what was sent before.
            _ = try world.call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", [])
        }
        world.service?.signal(SIGCONT)
        try world.until("everything is answered") { flood.count == count && own != nil }
        let last = try #require(own)
        let before = flood.count { $0 < last }
        #expect(before < count / 2, "\(before) of \(count) were answered before")
    }
}
