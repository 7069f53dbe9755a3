import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// One program that calls without end keeps no other waiting. What is counted are calls and answers, not seconds.
@Suite final class FloodTests: ObservedFolderSuite {
    /// The log tells in which order the service begins calls.
    override init() throws { try super.init(more: ["ROUNDEL_LOG": "debug"]) }

    /// What somebody may send without end, of what is answered at once: the rest waits for others, up to a bound.
    enum Kind: String, CaseIterable {
        case requests, updates, statuses, panel, folders, menus, observers, pages, attributes, flushes, images, notices
        case deepMenus, deepObservers

        /// Whether it is for a host that observes the folder.
        var needsObserver: Bool { [.requests, .pages].contains(self) }

        /// Whether it is a provider that sends it.
        var isProviders: Bool { [.updates, .statuses, .folders, .flushes, .images, .notices].contains(self) }
    }

    /// The longest path that may be named, of as many directories as it can have, in the folder.
    private var deepest: String {
        let rest = ItemURI.pathLimit - 1 - folder.utf8.count
        return directory + String(repeating: "/d", count: rest / 2)
    }

    /// - Parameters:
    ///   - number: of the call; what changes has another value in each.
    ///   - answered: gets the number of the answer among all that the service sent.
    private func send(
        _ kind: Kind, _ number: Int, from bus: Connection, _ answered: @escaping (UInt32) -> Void
    ) {
        let place = DBusValue.string(directory)
        func call(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
            bus.call(
                Names.service, path, interface, member,
                { for argument in arguments { try $0.append(value: argument) } },
                { result in
                    switch result {
                    case .success(let reply): answered(reply.serial)
                    // Where the provider was late for it, seconds after all others.
                    case .failure(let error): if shortName(error) == "ProviderTimeout" { answered(.max) }
                    }
                })
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
        case .notices:
            // Whatever shows a folder has something new each time, and the person is told something else.
            let notice: VariantMap = [
                "id": .string("matter-\(number)"), "title": .string("Matter \(number)"), "urgency": .byte(2),
            ]
            let state = UInt32(1 + number % 4)
            call(
                path, Names.registry, "SetFolderStatus",
                [place, .uint32(state), .string("\(number)"), .byte(255), .map(["notices": .maps([notice])])])
        case .deepMenus:
            call(path, Names.host, "GetMenu", [.uint32(0), .string(""), .strings([deepest]), .map([:])])
        case .deepObservers: call(path, Names.host, "BeginObserving", [.string(deepest), .map([:])])
        case .panel:
            call(
                "/MenuBar", "com.canonical.dbusmenu", "GetLayout", [.int32(0), .int32(-1), .strings([])])
        }
    }

    /// What shows in the log how far the service has come: a call of a host that observes the folder, answered at once.
    private func mark(from bus: Connection, _ answered: @escaping (UInt32) -> Void) {
        bus.call(
            Names.service, Names.servicePath, Names.host, "RequestBadges",
            { [directory] writer in
                try writer.append(directory)
                try writer.append(strings: [])
                try writer.append(map: [:])
            },
            { result in if case .success(let reply) = result { answered(reply.serial) } })
    }

    private static let markAnswer = "0 badges"

    /// Waits until the bus has passed on what was sent before: only then it answers.
    private func passOn(_ bus: Connection) throws {
        _ = try world.call(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", [])
    }

    /// A host that observes the folder.
    private func observer() throws -> Connection {
        let bus = try world.connect()
        _ = try world.call(
            bus, Names.service, Names.servicePath, Names.host, "BeginObserving", [.string(directory), .map([:])])
        return bus
    }

    /// The numbers of the calls that were answered so, or in any way. The service numbers calls as it begins them.
    private func numbers(answered what: String? = nil) throws -> [Int] {
        try Disk.text(world.installation.root + "/roundeld.log").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[1] == "reply" || words[1] == "refuse", what.map({ words[3] == $0 }) ?? true
            else { return nil }
            return Int(words[2].dropLast())
        }
    }

    @Test(
        "Of a hundred calls of one program that came earlier no more are begun before another's than twice its own",
        arguments: Kind.allCases)
    func othersHaveTheirTurns(kind: Kind) throws {
        let panel = try StandInPanel(world)
        let daemon = try StandInNotifications(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let flooding = kind.isProviders ? provider.bus : try kind.needsObserver ? observer() : world.connect()
        let other = try observer()
        // So many fit into the service's socket.
        let count = [.deepMenus, .deepObservers].contains(kind) ? 32 : 120
        let ownCount = 10
        var flood: [UInt32] = []
        var own: [UInt32] = []
        let first = try numbers().max() ?? 0
        // What is sent while the service stands still is before it all at once, the other's calls last.
        world.service?.signal(SIGSTOP)
        for number in 0..<count { send(kind, number, from: flooding) { flood.append($0) } }
        try passOn(flooding)
        for _ in 0..<ownCount { mark(from: other) { own.append($0) } }
        try passOn(other)
        world.service?.signal(SIGCONT)
        try world.until("everything is answered") { flood.count == count && own.count == ownCount }
        let last = try #require(own.max())
        let before = flood.count { $0 < last }
        #expect(before <= 2 * ownCount, "\(before) of \(count) were answered before")
        // What waits for others is begun long before it is answered.
        let lastMark = try #require(try numbers(answered: Self.markAnswer).max())
        #expect(lastMark - first <= 3 * ownCount, "\(lastMark - first - ownCount) of \(count) were begun before")
        #expect(daemon.shown.count <= 2 * ownCount, "the person is told \(daemon.shown.count) times")
    }

    @Test("Programs that come, call and go, hundreds of times, take no turn of another's and leave nothing behind")
    func comingAndGoing() throws {
        let other = try observer()
        let inner = uri(try world.makeFolder("Sync/inner"))
        var marks = 0
        func markOnce() throws {
            let wanted = marks + 1
            mark(from: other) { _ in marks += 1 }
            try world.until("the other is answered") { marks == wanted }
        }
        try provider.await("BeginObserving")
        let before = try remains()
        try markOnce()
        for number in 0..<300 {
            try visit(number, inner)
            try markOnce()
        }
        let numbers = try numbers(answered: Self.markAnswer)
        let gaps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        #expect(gaps.count == 300)
        // A visitor makes three calls, and what the service shows by itself asks again when folders come and go.
        #expect((gaps.max() ?? 0) <= 2 * 4, "between two calls \(gaps.max() ?? 0) calls were begun")
        var after: [Int] = []
        try world.until("nothing is left of them: \(after) is \(before)") {
            after = try remains()
            return zip(after, before).allSatisfy { $0 <= $1 }
        }
        #expect(provider.calls("EndObserving").allSatisfy { $0.subject == inner })
    }

    /// Connects, makes three calls and leaves: as a provider, or as a host that does not wait for the last answers.
    private func visit(_ number: Int, _ place: String) throws {
        let bus = try world.connect()
        func call(_ interface: String, _ member: String, _ arguments: [DBusValue]) throws {
            _ = try world.call(bus, Names.service, Names.servicePath, interface, member, arguments + [.map([:])])
        }
        if number % 2 == 0 {
            _ = try world.call(
                bus, Names.service, Names.servicePath, Names.registry, "Register",
                [.objectPath("/visitor"), .map(["id": .string("visitor")])])
            try call(
                Names.registry, "SetFolders",
                [FakeProvider.offers([uri(world.installation.root + "/home/Visited")], watch: true)])
            try call(Names.registry, "SetBadgeImages", [.array(element: "(sss)", [])])
        } else {
            try call(Names.host, "BeginObserving", [.string(place)])
            send(.requests, number, from: bus) { _ in }
            send(.menus, number, from: bus) { _ in }
            try world.until("the calls are on their way") { bus.outgoingBytes == 0 }
        }
        let name = bus.uniqueName
        bus.close()
        // A program that another test is just starting holds the socket too, until it has become that program.
        try world.until("the bus has noticed it") {
            try world.call(
                host.bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                [.string(name)]
            ).first?.bool == false
        }
    }

    /// What the service has for its clients: descriptors, match rules at the bus, folders, and what is observed.
    private func remains() throws -> [Int] {
        let service = try #require(world.service)
        let statistics = try world.call(
            host.bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats",
            "GetConnectionStats", [.string(Names.service)])
        let observed = provider.calls("BeginObserving").count - provider.calls("EndObserving").count
        return [
            try Disk.names("/proc/\(service.identifier)/fd").count,
            Int(statistics.first?.map?["MatchRules"]?.uint32 ?? 0), try host.folders().count, observed,
        ]
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
            send(.menus, number, from: flooding) { _ in handled += 1 }
            flooding.call(
                Names.service, Names.servicePath, Names.host, "RequestBadges",
                {
                    try $0.append(directory)
                    try $0.append(strings: ["name-\(number)"])
                    try $0.append(map: [:])
                }, { _ in handled += 1 })
        }
        try world.until("the flood is answered, without the provider") { handled == 800 }
        try passOn(provider.bus)
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
        try passOn(provider.bus)
        #expect(provider.calls.count <= before + 2)
    }
}
