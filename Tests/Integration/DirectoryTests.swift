import DBus
import Testing

/// RequestDirectory: pages, their order, the subscription.
@Suite final class DirectoryTests: ObservedFolderSuite {
    @Test("Every item that the provider knows comes, ordered by decoded bytes")
    func order() throws {
        let names = ["b", "a", "A", "%FF", "%20x", "%C3%A4", "a%0A", "a-b", "a.b"]
        for name in names { provider.know(directory, [name: "synced"]) }
        let (rows, next) = try host.directory(directory)
        #expect(rows.map(\.name) == ["%20x", "A", "a", "a%0A", "a-b", "a.b", "b", "%C3%A4", "%FF"])
        #expect(next.isEmpty)
    }

    @Test("Pages follow each other without a gap or a repetition")
    func pages() throws {
        for number in 0..<250 { provider.know(directory, ["n\(number)": "synced"]) }
        var after = ""
        var seen: [String] = []
        repeat {
            let page = try host.directory(directory, after: after, limit: 37)
            #expect(page.rows.count <= 37)
            seen += page.rows.map(\.name)
            after = page.next
        } while !after.isEmpty
        #expect(seen == (0..<250).map { "n\($0)" }.sorted())
    }

    @Test("A page goes on after a name that is not there")
    func afterUnknown() throws {
        for name in ["a", "c", "e"] { provider.know(directory, [name: "synced"]) }
        #expect(try host.directory(directory, after: "b").rows.map(\.name) == ["c", "e"])
        #expect(try host.directory(directory, after: "e").rows.isEmpty)
        let page = try host.directory(directory, limit: 2)
        #expect(page.rows.map(\.name) == ["a", "c"])
        #expect(page.next == "c")
    }

    @Test("It subscribes to the whole directory: new items are told by signal")
    func subscribes() throws {
        provider.know(directory, ["a": "synced"])
        _ = try host.directory(directory)
        try provider.update(directory, "new", "pending")
        try host.await(directory, "new", "pending")
        try provider.update(directory, "a", "error")
        try host.await(directory, "a", "error")
        #expect(try host.directory(directory).rows.map(\.name) == ["a", "new"])
    }

    @Test("A provider that is late delays it for a moment; its items come by signal")
    func late() throws {
        var pending: MethodCall?
        provider.handlers["RequestDirectory"] = { call, _ in pending = call }
        #expect(try host.directoryAskedOnce(directory).rows.isEmpty)
        try world.until("the provider is asked") { pending != nil }
        pending?.answer(Row.columns([Row(name: "a", badge: "synced"), Row(name: "b", badge: "error")]) + [.string("")])
        try host.await(directory, "a", "synced")
        try host.await(directory, "b", "error")
    }

    @Test("A provider's own pages are put together")
    func providerPages() throws {
        provider.handlers["RequestDirectory"] = { call, arguments in
            let first = arguments[1].string == ""
            call.answer(
                Row.columns([Row(name: first ? "a" : "b", badge: "synced")]) + [.string(first ? "a" : "")])
        }
        #expect(try host.directory(directory).rows.map(\.name) == ["a", "b"])
        #expect(provider.calls("RequestDirectory").map { $0.arguments[1].string } == ["", "a"])
    }

    @Test("An answer that does not go forward ends the asking")
    func noProgress() throws {
        provider.handlers["RequestDirectory"] = { call, _ in
            call.answer(Row.columns([Row(name: "a", badge: "synced")]) + [.string("a")])
        }
        _ = try host.directory(directory)
        _ = try host.directory(directory)
        #expect(provider.calls("RequestDirectory").count < 10)
        #expect(try host.badges(directory, ["z"]).map(\.badge) == [""])
    }

    @Test("F7: a host that asked for some names is not told of others, beside one that asked for all")
    func besideNames() throws {
        provider.know(directory, ["a": "synced", "b": "synced"])
        let second = try world.host()
        try second.begin(directory)
        _ = try second.badges(directory, ["b"])
        second.clear()
        _ = try host.directory(directory)
        try provider.update(directory, "a", "error")
        try provider.update(directory, "b", "error")
        try host.await(directory, "a", "error")
        try second.await(directory, "b", "error")
        #expect(second.told(directory) == [Row(name: "b", badge: "error")])
    }

    @Test("A limit of 0 or beyond 100,000 means 100,000")
    func limits() throws {
        let rows = (0..<100_500).map { Row(name: "n\($0 + 1_000_000)", badge: "synced") }
        provider.hold("RequestDirectory")
        #expect(try host.directoryAskedOnce(directory).rows.isEmpty)
        try provider.await("RequestDirectory")
        provider.held[0].answer(Row.columns(Array(rows.prefix(100_000))) + [.string("n1099999")])
        try provider.await("RequestDirectory", 2)
        provider.held[1].answer(Row.columns(Array(rows.dropFirst(100_000))) + [.string("")])
        try world.until("everything is told") { host.told(directory).count == rows.count }
        for limit in [0, 200_000] as [UInt32] {
            // All of it is known, so that no provider is late; so long an answer takes its time.
            let page = try host.directoryAskedOnce(directory, limit: limit)
            #expect(page.rows.count == 100_000)
            #expect(page.next == "n1099999")
        }
    }
}
