import DBus
import Glibc
import Testing

/// Badges: asking, holding, signals, their order and their restraint.
@Suite final class BadgeTests: ObservedFolderSuite {
    /// A new directory below the folder, whose items' badges the host was given in an answer in time: so no signal was sent
    /// for it yet, and the next change is the first one.
    /// - Parameter attempt: One of several in a test, each of which gets a directory of its own: what was told of another one
    ///   is not told again.
    private func quietDirectory(_ badges: [String: String], attempt: Int = 1) throws -> String {
        var directory = ""
        var number = 0
        try world.until("an answer in time") {
            number += 1
            let path = try world.makeFolder("Sync/\(badges.keys.sorted().joined())\(attempt)-\(number)")
            // The service looks through a directory when its watch is late, and takes what is not there for deleted.
            for name in badges.keys { try Disk.write("\(path)/\(name)", "") }
            directory = uri(path)
            provider.know(directory, badges)
            try host.begin(directory)
            return try host.badgesAskedOnce(directory, badges.keys.sorted()).allSatisfy { !$0.badge.isEmpty }
        }
        host.clear()
        return directory
    }

    @Test("F7: badges, flags and progress come as the provider said them, in the order asked")
    func values() throws {
        provider.items[directory] = [
            "a": Row(name: "a", badge: "syncing", flags: 5, progress: 40),
            "b": Row(name: "b", badge: "test.starred", flags: 16, progress: 255),
        ]
        let rows = try host.badges(directory, ["b", "a", "c"])
        #expect(
            rows == [
                Row(name: "b", badge: "test.starred", flags: 16),
                Row(name: "a", badge: "syncing", flags: 5, progress: 40),
                Row(name: "c", badge: ""),
            ])
    }

    @Test("F6: each name is asked of the provider once, also when it is given twice or by two hosts")
    func askedOnce() throws {
        provider.know(directory, ["a": "synced", "b": "pending"])
        let second = try world.host()
        try second.begin(directory)
        #expect(try host.badges(directory, ["a", "a", "b"]).map(\.badge) == ["synced", "synced", "pending"])
        #expect(try second.badges(directory, ["b", "a"]).map(\.badge) == ["pending", "synced"])
        #expect(try host.badges(directory, ["a"]).map(\.badge) == ["synced"])
        #expect(provider.calls("RequestBadges").map(\.names) == [["a", "b"]])
    }

    @Test("Names are the same whatever their escapes are; answers use one canonical encoding")
    func encoding() throws {
        provider.know(directory, ["%C3%A4%20x": "synced"])
        #expect(try host.badges(directory, ["ä x", "%c3%a4%20%78"]).map(\.badge) == ["synced", "synced"])
        #expect(provider.calls("RequestBadges").map(\.names) == [["%C3%A4%20x"]])
        try provider.update(directory, [Row(name: "ä%20x", badge: "pending")])
        try host.await(directory, "%C3%A4%20x", "pending")
    }

    @Test("A name without an answer is told as none after a while and by a signal when the answer comes")
    func late() throws {
        var pending: MethodCall?
        provider.handlers["RequestBadges"] = { call, _ in pending = call }
        #expect(try host.badgesAskedOnce(directory, ["a", "b"]).map(\.badge) == ["", ""])
        #expect(host.told(directory).isEmpty)
        try world.until("the provider is asked") { pending != nil }
        pending?.answer(Row.values([Row(name: "a", badge: "synced"), Row(name: "b", badge: "")]))
        try host.await(directory, "a", "synced")
        #expect(host.told(directory) == [Row(name: "a", badge: "synced")])
    }

    @Test("Several held calls are answered together, not one wait after the other")
    func heldTogether() throws {
        provider.hold("RequestBadges")
        let calls = (0..<20).map { host.send("RequestBadges", [.string(directory), .strings(["n\($0)"])]) }
        for call in calls { #expect(try host.answer(call)[0].strings == [""]) }
        let others = try world.host()
        try others.begin(directory)
        #expect(try others.badgesAskedOnce(directory, ["n1"]).map(\.badge) == [""])
        try provider.await("RequestBadges", 20)
        #expect(provider.calls("RequestBadges").count == 20)
    }

    @Test("F7: a signal never comes before the reply that gave its name")
    func replyFirst() throws {
        provider.handlers["RequestBadges"] = { [unowned provider] call, arguments in
            _ = arguments
            try provider.bus.sendUpdate(provider.directoryRow(call, "pending"))
            try provider.bus.sendUpdate(provider.directoryRow(call, "error"))
        }
        let sent = host.send("RequestBadges", [.string(directory), .strings(["a"])])
        let reply = try host.answer(sent)
        try provider.update(directory, "a", "synced")
        try host.await(directory, "a", "synced")
        let first = host.inbox.firstIndex { if case .badges = $0 { true } else { false } }
        let answered = host.inbox.firstIndex(of: .reply(sent.number))
        #expect(try #require(answered) < #require(first))
        // Late by more than 50 ms on a busy machine, the answer says nothing yet.
        #expect(["pending", "error", ""].contains(try #require(reply[0].strings?.first)))
    }

    @Test("F7: only names that were given are told, and only if a value changed")
    func onlyGiven() throws {
        provider.know(directory, ["a": "synced", "b": "synced", "c": "synced"])
        _ = try host.badges(directory, ["a", "b"])
        host.clear()
        try provider.update(directory, "c", "error")
        try provider.update(directory, "a", "synced")
        try provider.update(directory, "b", "pending")
        try host.await(directory, "b", "pending")
        #expect(host.told(directory) == [Row(name: "b", badge: "pending")])
    }

    @Test("A change of the flags or of the progress alone is told as well")
    func flagsAndProgress() throws {
        provider.know(directory, ["a": "syncing"])
        _ = try host.badges(directory, ["a"])
        try provider.update(directory, [Row(name: "a", badge: "syncing", flags: 0, progress: 10)])
        try world.until("progress") { host.told(directory).last?.progress == 10 }
        try provider.update(directory, [Row(name: "a", badge: "syncing", flags: 1, progress: 10)])
        try world.until("flags") { host.told(directory).last?.flags == 1 }
    }

    @Test("F4: only hosts that observe are told, and the answer says whether anybody does")
    func onlyWhileObserving() throws {
        let second = try world.host()
        try second.begin(directory)
        provider.know(directory, ["a": "synced"])
        for client in [host, second] { _ = try client.badges(directory, ["a"]) }
        try second.end(directory)
        second.clear()
        #expect(try provider.update(directory, "a", "pending"))
        try host.await(directory, "a", "pending")
        _ = try second.property("Version")
        #expect(second.told(directory).isEmpty)
        try host.end(directory)
        #expect(try !provider.update(directory, "a", "error"))
    }

    @Test("The first change comes at once, the following ones together")
    func coalesced() throws {
        let directory = try quietDirectory(["a": "synced", "b": "synced", "c": "synced"])
        for step in 1...60 {
            try provider.bus.sendUpdate(
                (
                    directory,
                    [
                        Row(name: "a", badge: "syncing", progress: UInt8(step)),
                        Row(name: step % 2 == 0 ? "b" : "c", badge: "syncing", progress: UInt8(step)),
                    ]
                ))
        }
        try world.until("the last progress") { host.told(directory).contains { $0.name == "a" && $0.progress == 60 } }
        let signals = host.inbox.filter { if case .badges = $0 { true } else { false } }
        #expect(signals.count < 60)
        guard case .badges(_, let rows) = signals[0] else { return }
        #expect(rows.first == Row(name: "a", badge: "syncing", progress: 1))
    }

    @Test("One busy directory does not delay another")
    func independent() throws {
        // Three changes at once may be more than 50 ms apart on a busy machine; they are made again until they are not.
        var attempt = 0
        try world.until("the other directory's signal between the two of the busy one") {
            attempt += 1
            let directory = try quietDirectory(["a": "synced"], attempt: attempt)
            let other = try quietDirectory(["x": "synced"], attempt: attempt)
            try provider.bus.sendUpdate((directory, [Row(name: "a", badge: "syncing", progress: 1)]))
            try provider.bus.sendUpdate((directory, [Row(name: "a", badge: "syncing", progress: 2)]))
            try provider.bus.sendUpdate((other, [Row(name: "x", badge: "error")]))
            try world.until("the last progress") { host.told(directory).last?.progress == 2 }
            try host.await(other, "x", "error")
            let signals = host.inbox.compactMap { if case .badges(let directory, _) = $0 { directory } else { nil } }
            return signals == [directory, other, directory]
        }
    }

    @Test("An update outdates the answer that is outstanding for its names, and for these alone")
    func outdated() throws {
        provider.handlers["RequestBadges"] = { [unowned provider, directory] call, _ in
            try provider.bus.sendUpdate((directory, [Row(name: "a", badge: "error")]))
            call.answer(Row.values([Row(name: "a", badge: "synced"), Row(name: "b", badge: "synced")]))
        }
        #expect(try host.badges(directory, ["a", "b"]).map(\.badge) == ["error", "synced"])
        #expect(try host.badges(directory, ["a", "b"]).map(\.badge) == ["error", "synced"])
    }

    @Test("An update for a name that nobody asked for is not kept")
    func discarded() throws {
        #expect(try provider.update(directory, [Row(name: "a", badge: "error")]))
        provider.know(directory, ["a": "synced"])
        #expect(try host.badges(directory, ["a"]).map(\.badge) == ["synced"])
        #expect(provider.calls("RequestBadges").map(\.names) == [["a"]])
    }

    @Test("A badge neither common nor its own is BadgeTaken and changes nothing")
    func badgeTaken() throws {
        provider.know(directory, ["a": "synced", "b": "synced"])
        _ = try host.badges(directory, ["a", "b"])
        let rows = [Row(name: "a", badge: "pending"), Row(name: "b", badge: "other.star")]
        #expect(try provider.refusal("UpdateBadges", [.string(directory)] + Row.columns(rows)) == "BadgeTaken")
        let bad = [Row(name: "a", badge: "nonsense")]
        #expect(try provider.refusal("UpdateBadges", [.string(directory)] + Row.columns(bad)) == "BadgeTaken")
        #expect(try host.badges(directory, ["a", "b"]).map(\.badge) == ["synced", "synced"])
    }

    @Test("An item that vanished is told as none by the watcher and is asked again when it is back")
    func vanishedItem() throws {
        try Disk.write(folder + "/a", "x")
        provider.know(directory, ["a": "synced"])
        _ = try host.badges(directory, ["a"])
        try Disk.remove(folder + "/a")
        try host.await(directory, "a", "")
        host.clear()
        try Disk.write(folder + "/a", "y")
        try world.until("the badge is there again") { try host.badges(directory, ["a"]).map(\.badge) == ["synced"] }
        #expect(provider.calls("RequestBadges").count >= 2)
    }

    @Test("F7: a name that was given is told whenever it comes and goes, and one that was not there yet when it comes")
    func comesAndGoes() throws {
        try Disk.write(folder + "/a", "x")
        provider.know(directory, ["a": "synced"])
        try world.until("the badge is there") {
            try host.badges(directory, ["a", "b"]).map(\.badge) == ["synced", ""]
        }
        for name in ["a", "b", "a", "b", "a"] {
            if Disk.exists("\(folder)/\(name)") {
                try Disk.remove("\(folder)/\(name)")
                try host.await(directory, name, "")
            }
            try Disk.write("\(folder)/\(name)", "y")
            // Told again, because the news that it had gone may only arrive now.
            try world.until("\(name) is told again") {
                try provider.update(directory, name, "pending")
                return host.badge(directory, name) == "pending"
            }
        }
    }

    @Test("An item that the provider takes away is told as none")
    func removedByProvider() throws {
        provider.know(directory, ["a": "synced"])
        _ = try host.badges(directory, ["a"])
        try provider.update(directory, "a", "")
        try host.await(directory, "a", "")
    }

    @Test("F13: badges of a provider that dies go by signal, come back by signal, without a Reset")
    func deathAndReturn() throws {
        try provider.announce()
        try provider.register()
        provider.know(directory, ["a": "synced", "b": "pending"])
        _ = try host.badges(directory, ["a", "b"])
        provider.bus.close()
        try host.await(directory, "a", "")
        try host.await(directory, "b", "")
        #expect(try host.badges(directory, ["a"]).map(\.badge) == [""])
        let again = try FakeProvider(world, "test")
        try again.announce()
        again.know(directory, ["a": "synced", "b": "error"])
        try again.register()
        try again.setFolders([folder])
        try host.await(directory, "a", "synced")
        try host.await(directory, "b", "error")
        try again.await("BeginObserving")
        #expect(again.calls("BeginObserving").map(\.subject) == [directory])
        #expect(!host.inbox.contains(.reset))
    }

    @Test("More than 100,000 names are refused with LimitExceeded, 100,000 are answered")
    func nameLimit() throws {
        let names = (0...100_000).map { "n\($0)" }
        #expect(try host.refusal("RequestBadges", [.string(directory), .strings(names)]) == "LimitExceeded")
        provider.handlers["RequestBadges"] = { call, arguments in
            let count = arguments[1].strings?.count ?? 0
            call.answer([
                .strings(Array(repeating: "synced", count: count)), .uint32s(Array(repeating: 0, count: count)),
                .bytes(Array(repeating: 255, count: count)),
            ])
        }
        let reply = try host.call("RequestBadges", [.string(directory), .strings(names.dropLast())])
        #expect(reply[0].strings?.count == 100_000)
    }
}

extension Connection {
    /// Sends UpdateBadges without waiting for the answer.
    func sendUpdate(_ update: (directory: String, rows: [Row])) throws {
        try callNoReply(
            "org.roundel.Roundel1", "/org/roundel/Roundel1", "org.roundel.Roundel1.Registry", "UpdateBadges"
        ) { writer in
            try writer.append(update.directory)
            for column in Row.columns(update.rows) { try writer.append(value: column) }
            try writer.append(map: [:])
        }
    }
}

extension FakeProvider {
    /// An update of the first name that a RequestBadges call asks for.
    fileprivate func directoryRow(_ call: MethodCall, _ badge: String) throws -> (String, [Row]) {
        let arguments = try call.message.arguments()
        return (arguments[0].string ?? "", [Row(name: arguments[1].strings?.first ?? "", badge: badge)])
    }
}
