import RoundelBus
import SystemPackage
import TestSupport
import Testing

@testable import BadgeEngine

@Suite("URIs and names of items")
struct ItemURITests {
    @Test(
        "A URI that does not name an item of this machine is refused with the reason",
        arguments: [
            ("", ItemURIError.notAbsolute),
            ("relative/path", .notAbsolute),
            ("/plain/path", .notAbsolute),
            ("file:/one/slash", .notAbsolute),
            ("file:relative", .notAbsolute),
            ("file://", .notAbsolute),
            ("file://localhost", .notAbsolute),
            ("http://host/x", .foreignScheme),
            ("sftp:///x", .foreignScheme),
            ("file://otherhost/x", .foreignHost),
            ("file://localhost.example/x", .foreignHost),
            ("file:///a/./b", .dotSegment),
            ("file:///a/..", .dotSegment),
            ("file:///..", .dotSegment),
            ("file:///a/%2e%2E/b", .dotSegment),
            ("file:///a/.%2e", .dotSegment),
            ("file:///a%2Fb", .encodedSlash),
            ("file:///a%2fb", .encodedSlash),
            ("file:///a%00b", .nulByte),
            ("file:///a\u{0}b", .nulByte),
            ("file:///a%", .badEscape),
            ("file:///a%4", .badEscape),
            ("file:///a%zz", .badEscape),
            ("file:///a%4/b", .badEscape),
            ("file:///a?query", .query),
            ("file:///a#fragment", .fragment),
        ])
    func refusals(_ text: String, _ error: ItemURIError) {
        #expect(throws: error) { try ItemURI(text) }
    }

    @Test("A decoded path of 4,096 bytes is too long, one of 4,095 is not")
    func length() throws {
        let longest = "file:///" + String(repeating: "a", count: 4094)
        #expect(try ItemURI(longest).path.utf8.count == 4095)
        #expect(throws: ItemURIError.tooLong) { try ItemURI(longest + "a") }
        let encoded = "file:///" + String(repeating: "%FF", count: 4094)
        #expect(try ItemURI(encoded).filePath.length == 4095)
        #expect(throws: ItemURIError.tooLong) { try ItemURI(encoded + "%FF") }
    }

    @Test(
        "Every valid spelling gives the one canonical encoding",
        arguments: [
            ("file:///", "/"),
            ("file:////", "/"),
            ("FILE:///a", "/a"),
            ("file://localhost/a", "/a"),
            ("file://LOCALHOST/a", "/a"),
            ("file:///a/", "/a"),
            ("file:///a//b///c", "/a/b/c"),
            ("file:///%61%2d", "/a-"),
            ("file:///a b", "/a%20b"),
            ("file:///%c3%a4", "/%C3%A4"),
            ("file:///\u{E4}", "/%C3%A4"),
            ("file:///a%3Fb%23c", "/a%3Fb%23c"),
            ("file:///a+b", "/a%2Bb"),
            ("file:///...", "/..."),
            ("file:///.hidden", "/.hidden"),
            ("file:///line%0Abreak", "/line%0Abreak"),
            ("file:///~a_b.c-d", "/~a_b.c-d"),
        ])
    func canonical(_ text: String, _ path: String) throws {
        #expect(try ItemURI(text).path == path)
        #expect(try ItemURI("file://" + path).path == path)
    }

    @Test(
        "A name is refused with the reason",
        arguments: [
            ("", ItemURIError.emptyName), (".", .dotSegment), ("..", .dotSegment), ("%2E", .dotSegment),
            ("%2e.", .dotSegment), ("a/b", .encodedSlash), ("a%2Fb", .encodedSlash), ("%00", .nulByte),
            ("a%", .badEscape), ("%G0", .badEscape),
        ])
    func refusedNames(_ text: String, _ error: ItemURIError) {
        #expect(throws: error) { try ItemName(text) }
    }

    @Test("Any bytes survive the way through a name, a URI and a path")
    func everyByte() throws {
        var random = SeededRandom(seed: SeededRandom.chosenSeed("ItemURITests"))
        for _ in 0..<3000 {
            let bytes = (0...random.below(30)).map { _ in UInt8(1 + random.below(255)) }.filter { $0 != 0x2F }
            guard let name = try? ItemName(bytes: bytes) else {
                #expect(bytes.isEmpty || bytes == [0x2E] || bytes == [0x2E, 0x2E])
                continue
            }
            #expect(name.bytes == bytes)
            #expect(try ItemName(name.encoded) == name)
            let uri = try ItemURI("file:///dir").appending(name)
            #expect(try ItemURI(path: uri.filePath) == uri)
            #expect(try ItemURI(uri.uri) == uri)
            #expect(uri.name == name)
            #expect(uri.parent?.path == "/dir")
        }
    }

    @Test("The order is that of the decoded bytes")
    func order() throws {
        var random = SeededRandom(seed: SeededRandom.chosenSeed("ItemURITests.order"))
        for _ in 0..<3000 {
            let left = (0...random.below(4)).map { _ in UInt8(48 + random.below(200)) }
            let right = (0...random.below(4)).map { _ in UInt8(48 + random.below(200)) }
            let leftName = try ItemName(bytes: left)
            let rightName = try ItemName(bytes: right)
            #expect((leftName < rightName) == left.lexicographicallyPrecedes(right))
        }
    }

    @Test("Containment goes by component")
    func containment() throws {
        let folder = try ItemURI("file:///a/Cloud")
        #expect(try ItemURI("file:///a/Cloud/x").isBelow(folder))
        #expect(try !ItemURI("file:///a/Cloud2/x").isBelow(folder))
        #expect(!folder.isBelow(folder))
        #expect(folder.isWithin(folder))
        #expect(folder.isBelow(.root))
        #expect(!ItemURI.root.isBelow(.root))
        #expect(ItemURI.root.parent == nil && ItemURI.root.name == nil)
        #expect(try ItemURI("file:///a").parent == .root)
        #expect(ItemURI.root.appending(try ItemName("a")).path == "/a")
        #expect(try ItemURI("file:///a/Cloud/x").replacing(folder, with: .root)?.path == "/x")
        #expect(try ItemURI("file:///x").replacing(.root, with: folder)?.path == "/a/Cloud/x")
        #expect(try ItemURI("file:///a/Cloud2").replacing(folder, with: .root) == nil)
    }

    @Test("A relative path is no item")
    func relativePath() {
        #expect(throws: ItemURIError.notAbsolute) { try ItemURI(path: FilePath("a/b")) }
        #expect(throws: ItemURIError.dotSegment) { try ItemURI(path: FilePath("/a/../b")) }
    }
}

@Suite("Values of badges")
struct BadgeValueTests {
    @Test("F8: a provider may use no badge, the common ones and its own")
    func allowedBadges() throws {
        let provider = try #require(ProviderID("cloud-1"))
        for identifier in [
            "", "synced", "pending", "syncing", "paused", "error", "conflict", "excluded", "online-only", "cloud-1.X",
        ] {
            #expect(Badge(identifier).isAllowed(for: provider), "\(identifier)")
        }
        for identifier in ["cloud-1", "cloud-1.", "cloud-10.X", "other.X", "Synced", "X"] {
            #expect(!Badge(identifier).isAllowed(for: provider), "\(identifier)")
        }
    }

    @Test("Ids of providers are a letter and up to 31 letters, digits and hyphens")
    func providerIDs() {
        for text in ["a", "a-1", "a" + String(repeating: "9", count: 31)] {
            #expect(ProviderID(text) != nil, "\(text)")
        }
        for text in ["", "A", "1a", "-a", "a_b", "a.b", "\u{E4}", "a" + String(repeating: "9", count: 32)] {
            #expect(ProviderID(text) == nil, "\(text)")
        }
    }

    @Test("Every error has its name on the bus and is found by it")
    func errorNames() {
        #expect(RoundelError.Code.invalidURI.name == "org.roundel.Error.InvalidUri")
        #expect(RoundelError.Code.invalidArguments.name == "org.freedesktop.DBus.Error.InvalidArgs")
        for code in RoundelError.Code.allCases {
            #expect(RoundelError.Code(name: code.name) == code)
        }
        #expect(RoundelError.Code(name: "org.example.Error") == nil)
    }

    @Test("A name has at most so many bytes, however it is written")
    func longNames() throws {
        let most = ItemName.limit
        for (byte, text) in [(UInt8(ascii: "a"), "a"), (UInt8(ascii: "a"), "%61"), (0xFF, "%FF"), (0xFF, "%ff")] {
            #expect(try ItemName(String(repeating: text, count: most)).bytes.count == most)
            #expect(throws: ItemURIError.nameTooLong) { try ItemName(String(repeating: text, count: most + 1)) }
            #expect(try ItemName(bytes: [UInt8](repeating: byte, count: most)).bytes.count == most)
            #expect(throws: ItemURIError.nameTooLong) { try ItemName(bytes: [UInt8](repeating: byte, count: most + 1)) }
        }
        #expect(throws: ItemURIError.nameTooLong) { try ItemName(String(repeating: "%", count: 1 << 20)) }
    }
}
