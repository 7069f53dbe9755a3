import DBus
import RoundelBus
import TestSupport
import Testing

@Suite("A provider as the badge service calls it")
struct ProviderInterfaceTests {
    let bench: LinkBench

    init() throws { bench = try LinkBench.registered() }

    static let columns = BadgeColumns(
        names: Wire.names(["a", "b"]), badges: [.synced, .pending], flags: [0, 1], progress: [255, 50])
    static let values: [DBusValue] = [.strings(["synced", "pending"]), .uint32s([0, 1]), .bytes([255, 50])]

    @Test("BeginObserving and EndObserving reach the provider in order")
    func observing() throws {
        #expect(try bench.ask("BeginObserving", { try $0.append("file:///home/Cloud/%61") }).isEmpty)
        #expect(try bench.ask("EndObserving", { try $0.append("file:///home/Cloud/a/") }).isEmpty)
        #expect(bench.provider.told == ["begin file:///home/Cloud/a", "end file:///home/Cloud/a"])
    }

    @Test("RequestBadges is answered with the three columns")
    func badges() throws {
        bench.provider.badges = Self.columns
        let answer = try bench.ask("RequestBadges") { writer in
            try writer.append(LinkBench.folder)
            try writer.append(strings: ["a", "%62"])
        }
        #expect(answer == Self.values)
        #expect(bench.provider.told == [#"badges file:///home/Cloud ["a", "b"]"#])
    }

    @Test("Answers may come later and in another order")
    func lateAnswers() throws {
        bench.provider.badges = nil
        var answers: [String: [DBusValue]] = [:]
        for name in ["first", "second"] {
            bench.host.call(
                bench.providerBus.uniqueName, LinkBench.object, Names.provider, "RequestBadges",
                { writer in
                    try writer.append(LinkBench.folder)
                    try writer.append(strings: [name])
                    try writer.appendNoExtras()
                }, { answers[name] = try? $0.get().arguments() })
        }
        #expect(bench.run { bench.provider.owedBadges.count == 2 })
        try bench.settle()
        #expect(answers.isEmpty)
        bench.provider.owedBadges[1](Self.columns)
        #expect(bench.run { answers["second"] == Self.values + [.map([:])] })
        #expect(answers["first"] == nil)
        bench.provider.owedBadges[0](BadgeColumns())
        #expect(bench.run { answers["first"]?.first == .strings([]) })
    }

    @Test("RequestDirectory hands on where to go on and how much is wanted, and says what follows")
    func directory() throws {
        bench.provider.listing = (Self.columns, try ItemName("b"))
        let ask = { (after: String, limit: UInt32) in
            try bench.ask("RequestDirectory") { writer in
                try writer.append(LinkBench.folder)
                try writer.append(after)
                try writer.append(limit)
            }
        }
        #expect(try ask("", 0) == [.strings(["a", "b"])] + Self.values + [.string("b")])
        bench.provider.listing = (BadgeColumns(), nil)
        #expect(try ask("%62", 7).last == .string(""))
        _ = try ask("", .max)
        #expect(
            bench.provider.told == [
                "directory file:///home/Cloud after - limit 100000", "directory file:///home/Cloud after b limit 7",
                "directory file:///home/Cloud after - limit 100000",
            ])
    }

    @Test("GetMenu hands on kind, target and selection, and is answered with the items")
    func menu() throws {
        bench.provider.menu = [MenuItem(id: "a", label: "A", children: [MenuItem(id: "b")]), MenuItem(id: "c")]
        let answer = try bench.ask("GetMenu") { writer in
            try writer.append(UInt32(3))
            try writer.append("")
            try writer.append(uris: [LinkBench.folder])
        }
        #expect(answer == [.maps(bench.provider.menu.map(\.wire))])
        #expect(bench.provider.requests == [MenuRequest(kind: .toolbar, target: nil, selection: [LinkBench.folder])])
        let unknown = errorName {
            _ = try bench.ask("GetMenu") { writer in
                try writer.append(UInt32(4))
                try writer.append("")
                try writer.append(uris: [])
            }
        }
        #expect(unknown == ColumnTests.invalidArgs)
    }

    private func activate(_ options: VariantMap = [:]) throws {
        _ = try bench.ask(
            "Activate",
            { writer in
                try writer.append("sync")
                try writer.append(LinkBench.folder)
                try writer.append(uris: [])
                try writer.append(map: options)
            }, extras: false)
    }

    @Test("E7: Activate hands on the options; its end is the reply, cancelled and failed have their names")
    func activation() throws {
        let options = ActivationOptions(activationToken: "t", timestamp: 9, parentWindow: "w")
        try activate(options.wire)
        #expect(bench.provider.told == ["activate sync"])
        #expect(
            bench.provider.requests == [
                MenuRequest(kind: nil, target: LinkBench.folder, selection: [], options: options)
            ])
        bench.provider.outcome = .failure(RoundelError(.cancelled, "No."))
        #expect(errorName { try activate() } == "org.roundel.Error.Cancelled")
        bench.provider.outcome = .failure(RoundelError(.providerFailed, "Broken."))
        #expect(errorName { try activate() } == "org.roundel.Error.ProviderFailed")
    }

    @Test("F14: GetAttributes is answered with values of their types")
    func attributes() throws {
        bench.provider.attributes = ["state": .string("synced"), "bytes-done": .unsigned(5), "tags": .strings(["x"])]
        let answer = try bench.ask("GetAttributes") { writer in
            try writer.append(LinkBench.folder)
            try writer.append(strings: ["state"])
        }
        #expect(answer == [.map(bench.provider.attributes.mapValues(\.wire))])
        #expect(bench.provider.told == [#"attributes file:///home/Cloud ["state"]"#])
    }

    @Test("ItemsChanged hands directories, items and overflow on and is answered when they were taken over")
    func itemsChanged() throws {
        let changes = FolderChanges(
            folder: LinkBench.folder, directories: [Wire.uri("/home/Cloud/d")], items: [Wire.uri("/home/Cloud/%FF")],
            overflow: true)
        let answer = try bench.ask("ItemsChanged") { writer in
            try writer.append(changes.folder)
            try writer.append(uris: changes.directories)
            try writer.append(uris: changes.items)
            try writer.append(changes.overflow)
        }
        #expect(answer.isEmpty && bench.provider.changes == [changes])
    }

    @Test("What is no URI or name is refused before the provider is asked")
    func refusals() {
        let uri = errorName { _ = try bench.ask("BeginObserving", { try $0.append("http://x") }) }
        #expect(uri == "org.roundel.Error.InvalidUri")
        let name = errorName {
            _ = try bench.ask("RequestBadges") { writer in
                try writer.append(LinkBench.folder)
                try writer.append(strings: [".."])
            }
        }
        #expect(name == "org.roundel.Error.InvalidName")
        let type = errorName { _ = try bench.ask("EndObserving", { try $0.append(UInt32(1)) }) }
        #expect(type == ColumnTests.invalidArgs)
        #expect(bench.provider.told.isEmpty)
    }

    @Test("A provider that has no more than badges answers everything else with nothing")
    func defaults() throws {
        let plain = PlainProvider()
        let object: ObjectPath = "/plain"
        let link = try ProviderLink(
            plain, registration: .init(object: object.rawValue, id: "plain"), on: bench.providerBus)
        try link.start()
        func ask(_ method: String, _ write: @escaping (inout MessageWriter) throws -> Void) throws -> [DBusValue] {
            try bench.harness.call(bench.host, bench.providerBus.uniqueName, object, Names.provider, method) { writer in
                try writer.append(LinkBench.folder)
                try write(&writer)
                try writer.appendNoExtras()
            }.arguments()
        }
        let none = DBusValue.map([:])
        #expect(try ask("GetAttributes") { try $0.append(strings: []) } == [none, none])
        let listing = try ask("RequestDirectory") { writer in
            try writer.append("")
            try writer.append(UInt32(0))
        }
        #expect(listing == [.strings([]), .strings([]), .uint32s([]), .bytes([]), .string(""), none])
        let changes = try ask("ItemsChanged") { writer in
            try writer.append(uris: [])
            try writer.append(uris: [])
            try writer.append(false)
        }
        #expect(changes == [none])
        #expect(try ask("BeginObserving") { _ in } == [none])
    }
}
