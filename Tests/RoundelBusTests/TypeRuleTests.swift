import DBus
import TestSupport
import Testing

@testable import RoundelBus

@Suite("Types of data in rules")
struct TypeRuleTests {
    @Test(
        "E9: a type or a group of types, with the number of items that there may be",
        arguments: [
            ("image/png", "image/png", 0, nil), ("image/*", "image/*", 0, nil), ("*/*", "*/*", 0, nil),
            ("Image/PNG:2", "image/png", 2, 2), ("IMAGE/*:1-", "image/*", 1, nil),
            ("text/x-c++src:1-10", "text/x-c++src", 1, 10),
            ("application/vnd.oasis.opendocument.text:0-1", "application/vnd.oasis.opendocument.text", 0, 1),
            ("inode/directory:0", "inode/directory", 0, 0), ("a/b:007", "a/b", 7, 7),
            ("a/b:4294967295-4294967295", "a/b", 4_294_967_295, 4_294_967_295),
        ] as [(String, String, UInt32, UInt32?)])
    func understood(text: String, types: String, min: UInt32, max: UInt32?) throws {
        let rule = try #require(TypeRule(text))
        #expect(rule.types == types && rule.min == min && rule.max == max)
        #expect(TypeRule(rule.text) == rule)
    }

    @Test(
        "What is half understood is none",
        arguments: [
            "", ":", "image", "image/", "/png", "/", "*", "*/png", "image/p*", "image/*/*", "image/png/x", "**/*",
            "image/**",
            "*/*/*", "image /png", " image/png", "image/png ", "image/png;q=1", "image/png:", "image/png:-",
            "image/png:-1",
            "image/png:+1", "image/png:1-+2", "image/png:2-1", "image/png:1-2-3", "image/png:1:2", "image/png:a",
            "image/png:0x1", "image/png:١", "image/png:4294967296", "image/png:1-4294967296", "image/png:1 ",
            "imäge/png",
            "image/png\n", "image/png\0", ".image/png", "image/-png", "*/*:", "image/*:-",
        ])
    func refused(text: String) {
        #expect(TypeRule(text) == nil)
    }

    @Test("Names of types are as long as the standard lets them be")
    func lengths() {
        let longest = String(repeating: "x", count: 127)
        #expect(TypeRule("\(longest)/\(longest)")?.types == "\(longest)/\(longest)")
        #expect(TypeRule("\(longest)/*")?.types == "\(longest)/*")
        for text in ["\(longest)x/a", "a/\(longest)x", "\(longest)x/*"] { #expect(TypeRule(text) == nil) }
    }

    @Test("A type counts for itself, its group and for any")
    func covering() throws {
        let png = try #require(DataType("image/PNG"))
        for (text, covers) in [
            ("image/png", true), ("image/*", true), ("*/*", true), ("image/pn", false), ("image/pngx", false),
            ("imag/*", false), ("images/*", false), ("text/*", false), ("inode/directory", false),
        ] {
            #expect(try #require(TypeRule(text)).covers(png) == covers, "\(text)")
            let directory = text == "*/*" || text == "inode/directory"
            #expect(try #require(TypeRule(text)).covers(.directory) == directory, "\(text)")
        }
    }

    @Test("Types pass the bus as they were; one that is none, or too many, make the menu malformed")
    func wire() throws {
        let texts = ["image/*:1-10", "application/pdf", "*/*:3"]
        let rules = MenuRules(types: texts.compactMap { TypeRule($0) })
        #expect(rules.wire == ["types": .strings(texts)])
        #expect(try MenuRules(wire: try Wire.pass(rules.wire)) == rules)
        #expect(try MenuRules(wire: ["types": .strings([])]) == MenuRules(types: []))
        let most = (0..<Limits.typeRules).map { "a/\($0)" }
        #expect(try MenuRules(wire: ["types": .strings(most)]).types?.count == Limits.typeRules)
        for wrong: DBusValue in [
            .string("image/png"), .strings(["image/png", "image"]), .strings(most + ["a/b"]), .uint32s([1]),
            .strings([String(repeating: "\u{1F600}", count: 100_000)]),
        ] {
            #expect(errorName { _ = try MenuRules(wire: ["types": wrong]) } == ColumnTests.invalidArgs)
            let item: VariantMap = ["id": .string("a"), "rules": .map(["types": wrong])]
            #expect(errorName { _ = try MenuItem(wire: item) } == ColumnTests.invalidArgs)
        }
    }

    @Test("E9: a manifest names types like its other rules; one that is none makes them not understood")
    func manifest() {
        let rules = MenuRules(manifestText: "kinds=0; types = image/*:1-10 ,application/pdf ; min=1")
        #expect(
            rules
                == MenuRules(
                    kinds: [0], min: 1, types: ["image/*:1-10", "application/pdf"].compactMap { TypeRule($0) }))
        let most = (0..<Limits.typeRules).map { "a/\($0)" }
        #expect(MenuRules(manifestText: "types=" + most.joined(separator: ","))?.types?.count == Limits.typeRules)
        for text in [
            "types=", "types=image", "types=image/png,", "types=image/png,,text/plain", "types=image/png:2-1",
            "types=a/b c/d",
            "types=" + (most + ["a/b"]).joined(separator: ","), "types=image/png=1", "type=image/png",
        ] {
            #expect(MenuRules(manifestText: text) == nil, "\(text)")
        }
    }

    @Test("Whatever the text, a rule that is understood is the same when it is read again")
    func hostileTexts() {
        var mutator = ByteMutator(
            SeededRandom(for: "TypeRuleTests"),
            samples: ["image/*:1-10", "application/pdf", "*/*:3-", "text/x-c++src:4294967295"].map { Array($0.utf8) },
            tokens: ["*", "/", ":", "-", ",", ";", "=", "4294967296", "\u{0}", "é", "\u{FEFF}", "/*", "*/*"])
        var understood = 0
        mutator.run(5000) { _, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let rule = TypeRule(text) {
                understood += 1
                #expect(TypeRule(rule.text) == rule && rule.max.map { $0 >= rule.min } ?? true, "\(text)")
            }
            if let rules = MenuRules(manifestText: "types=" + text) {
                #expect((try? MenuRules(wire: rules.wire)) == rules, "\(text)")
            }
        }
        #expect(understood > 500)
    }
}
