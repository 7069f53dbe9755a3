import DBus
import RoundelBus
import TestSupport
import Testing

/// Attributes, services and the Host interface's properties.
@Suite final class AttributeTests: FolderSuite {
    private func attributes(_ keys: [String]) throws -> VariantMap {
        try host.attributes(directory + "/file", keys)
    }

    /// The error that a question for attributes is refused with; asked again while the provider was late.
    private func refusal() throws -> String? {
        var refusal: String?
        try world.until("a refusal that has another cause than time") {
            refusal = try host.refusal("GetAttributes", [.string(directory + "/file"), .strings([])])
            return refusal != "ProviderTimeout"
        }
        return refusal
    }

    @Test("F14: every attribute comes with its type, and needs no observing")
    func types() throws {
        provider.attributes = [
            "state": .string("syncing"), "label": .string("Uploading"), "progress": .byte(40),
            "bytes-done": .uint64(4), "bytes-total": .uint64(10), "last-synced": .int64(-5), "last-used": .int64(7),
            "message": .string("m"), "remote-uri": .string("https://example.org/"), "tags": .strings(["a", "b"]),
        ]
        #expect(try attributes([]) == provider.attributes)
        #expect(Set(provider.calls("GetAttributes").map(\.subject)) == [directory + "/file"])
    }

    @Test("Wrong types are dropped, and what was not asked for")
    func dropped() throws {
        provider.attributes = [
            "state": .uint32(1), "progress": .uint32(40), "tags": .string("a"), "last-synced": .uint64(1),
            "label": .string("fine"), "future": .string("x"), "message": .string("m"),
        ]
        let all = try attributes([])
        #expect(all.string("label") == "fine")
        for key in ["state", "progress", "tags", "last-synced"] { #expect(all[key] == nil, "\(key)") }
        #expect(try attributes(["label", "state"]) == ["label": .string("fine")])
        #expect(provider.calls("GetAttributes").last?.names == ["label", "state"])
    }

    @Test(
        "A provider that does not answer is ProviderTimeout, one that fails ProviderFailed, one that dies ProviderGone")
    func failures() throws {
        let place: [DBusValue] = [.string(directory + "/file"), .strings([])]
        provider.handlers["GetAttributes"] = { call, _ in call.fail(.failed("No.")) }
        #expect(try refusal() == "ProviderFailed")
        provider.handlers["GetAttributes"] = { call, _ in call.answer([.strings(["wrong"])]) }
        #expect(try refusal() == "ProviderFailed")
        provider.hold("GetAttributes")
        #expect(try host.refusal("GetAttributes", place) == "ProviderTimeout")
        // Two seconds may have passed before a provider on a busy machine dies; then another one does.
        var dying = provider
        try world.until("a question whose provider dies before it is late") {
            let before = dying.calls("GetAttributes").count
            let held = host.send("GetAttributes", place)
            try dying.await("GetAttributes", before + 1)
            dying.bus.close()
            let error = #expect(throws: DBusError.self) { try host.answer(held) }
            if error.map(shortName) == "ProviderGone" { return true }
            #expect(error.map(shortName) == "ProviderTimeout")
            dying = try FakeProvider(world, "test")
            dying.hold("GetAttributes")
            try world.until("the id is free") { try dying.registers }
            try dying.setFolders([folder])
            return false
        }
    }

    @Test("F14: GetItemService names the provider's bus name and the object for the interface, else NoSuchService")
    func service() throws {
        let services = DBusValue.dictionary(
            key: "s", value: "o",
            [DBusValue.DictionaryEntry(key: .string("org.example.Share"), value: .objectPath("/share"))])
        try provider.register(options: ["services": services])
        try provider.setFolders([folder])
        let reply = try host.call("GetItemService", [.string(directory + "/file"), .string("org.example.Share")])
        #expect(reply[0...1] == [.string(provider.bus.uniqueName), .objectPath("/share")])
        #expect(
            try host.refusal("GetItemService", [.string(directory), .string("org.example.Other")]) == "NoSuchService")
        let outside = uri(world.installation.root)
        #expect(
            try host.refusal("GetItemService", [.string(outside), .string("org.example.Share")]) == "NoSuchService")
    }

    @Test("Version, IconThemePath, WatchStatus and the bundled badges are there")
    func constants() throws {
        #expect(try host.property("Version") == .uint32(1))
        #expect(try host.property("IconThemePath")?.string != nil)
        var status: VariantMap = [:]
        // The watcher says it when it has begun.
        try world.until("the limit is known") {
            status = try #require(try host.property("WatchStatus")?.map)
            return status.uint32("watches-limit") ?? 0 > 0
        }
        #expect(status.uint32("watches-used") != nil)
        #expect(status.strings("unreliable") == [])
        guard case .dictionary("s", "(ss)", let entries) = try host.property("Badges") else {
            throw Failure("Badges has another type")
        }
        let names = ["conflict", "error", "excluded", "online-only", "paused", "pending", "synced", "syncing"]
        #expect(entries.compactMap(\.key.string).sorted() == names)
    }

    @Test("Folders follow SetFolders, with PropertiesChanged")
    func folders() throws {
        let second = try world.makeFolder("Second")
        #expect(try host.folders() == [directory])
        host.clear()
        try provider.setFolders([folder, second])
        try world.until("the change is told") {
            host.inbox.contains { if case .properties(let names) = $0 { names.contains("Folders") } else { false } }
        }
        #expect(try host.folders().sorted() == [uri(second), directory].sorted())
    }

    @Test("F2: badge images of a provider are listed until it sets others; another's identifier is BadgeTaken")
    func badgeImages() throws {
        func images(_ identifier: String) -> DBusValue {
            .array(element: "(sss)", [.structure([.string(identifier), .string("Star"), .string("emblem-star")])])
        }
        host.clear()
        try provider.call("SetBadgeImages", [images("test.star")])
        try world.until("the change is told") {
            host.inbox.contains { if case .properties(let names) = $0 { names.contains("Badges") } else { false } }
        }
        func given() throws -> [DBusValue.DictionaryEntry] {
            guard case .dictionary(_, _, let entries) = try host.property("Badges") else { return [] }
            return entries
        }
        let entry = try given().first { $0.key.string == "test.star" }
        #expect(entry?.value == .structure([.string("Star"), .string("emblem-star")]))
        #expect(try provider.refusal("SetBadgeImages", [images("other.star")]) == "BadgeTaken")
        #expect(try given().contains { $0.key.string == "test.star" })
        try provider.call("SetBadgeImages", [.array(element: "(sss)", [])])
        try world.until("the image is gone") { try !given().contains { $0.key.string == "test.star" } }
    }

    @Test("F2: labels of badges and the names in manifests are in the language of the session")
    func languages() throws {
        let world = try World(starts: false)
        try world.installation.addManifest(
            "test", name: "Fruit", busName: "org.example.Fruit", object: "/x",
            more: "Name[de]=Obst\nDescription=Ripens\nDescription[de]=Reift\n")
        try world.startService(more: ["LC_ALL": "en_US.UTF-8", "LANGUAGE": "de_AT:fr"])
        let provider = try world.provider("other", [try world.makeFolder("Sync")])
        let host = try world.host()
        let images = ["apricot", "plum", "pear"].map {
            DBusValue.structure([.string("other.\($0)"), .string($0), .string("emblem-\($0)")])
        }
        let labels = ["de": ["other.apricot": "Aprikose"], "fr": ["other.apricot": "Abricot", "other.plum": "Prune"]]
        try provider.call(
            "SetBadgeImages", [.array(element: "(sss)", images)], options: ["labels": .badgeLabels(labels)])
        guard case .dictionary(_, _, let entries) = try host.property("Badges") else {
            throw Failure("Badges has another type")
        }
        for (fruit, label) in [("apricot", "Aprikose"), ("plum", "Prune"), ("pear", "pear")] {
            let entry = entries.first { $0.key.string == "other.\(fruit)" }
            #expect(entry?.value == .structure([.string(label), .string("emblem-\(fruit)")]))
        }
        let rows = try host.call("List", [], interface: Names.providers)[0].maps ?? []
        let known = rows.first { $0.string("id") == "test" }
        #expect(known?.string("name") == "Obst" && known?.string("description") == "Reift")
    }

    @Test("F11: the toolbar's item is Roundel's own unless exactly one provider gives one")
    func toolbarItem() throws {
        let own = try host.property("ToolbarItem")
        let given = DBusValue.structure([.string("Mine"), .string("icon"), .string("tip")])
        try provider.register(options: ["toolbar-item": given])
        try world.until("the provider's item") { try host.property("ToolbarItem") == given }
        let other = try FakeProvider(world, "other")
        try other.register(options: ["toolbar-item": .structure([.string("Its"), .string("i"), .string("t")])])
        try world.until("Roundel's own item") { try host.property("ToolbarItem") == own }
        other.bus.close()
        try world.until("the provider's item again") { try host.property("ToolbarItem") == given }
    }

    @Test("The status of a folder is told, and kept as unknown when its provider goes")
    func folderStatus() throws {
        func status() throws -> DBusValue? {
            guard case .dictionary(_, _, let entries) = try host.property("FolderStatus") else { return nil }
            return entries.first { $0.key.string == directory }?.value
        }
        try provider.call("SetFolderStatus", [.string(directory), .uint32(2), .string("3 files left"), .byte(40)])
        try world.until("the status") {
            try status() == .structure([.uint32(2), .string("3 files left"), .byte(40)])
        }
        let below = [DBusValue.string(directory + "/x"), .uint32(1), .string(""), .byte(255)]
        #expect(try provider.refusal("SetFolderStatus", below) == "NotYourFolder")
        try provider.announce()
        try provider.register()
        host.clear()
        provider.bus.close()
        try world.until("the status is unknown") {
            guard case .structure(let members) = try status() else { return false }
            return members[0] == .uint32(0)
        }
        try world.until("the change is told") {
            host.inbox.contains {
                if case .properties(let names) = $0 { names.contains("FolderStatus") } else { false }
            }
        }
        #expect(try host.folders() == [directory])
    }
}
