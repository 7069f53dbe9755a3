import RoundelBus
import TestSupport
import Testing

/// The words of an enum on the bus.
private func words<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> [String] {
    type.allCases.map(\.rawValue)
}

/// The numbers of an enum on the bus, each with its word.
private func numbers<Value: RawRepresentable & CaseIterable>(of type: Value.Type) -> [String]
where Value.RawValue: BinaryInteger {
    type.allCases.map { "\($0.rawValue) \($0)" }
}

private let flagNumbers = BadgeFlags.named.map { "\($0.flag.rawValue) \($0.name)" }

/// The descriptions in dbus/interfaces state the words and numbers of the contract; the enums have these and no others.
@Suite("The words and numbers of the interfaces' descriptions")
struct InterfaceTextTests {
    private static let names =
        ["Roundel1.Host", "Roundel1.Registry", "Roundel1.Providers", "Provider1"]
        + EngineInterface.allCases.map { "Roundel1.Engine.\($0.rawValue)" }

    /// Words with capitals that are not errors of ours: names, units, and standard errors of D-Bus.
    private static let otherWords: Set<String> = [
        "SyncWorker", "DBus", "MiB", "KiB", "GiB", "URIs", "WebDAV", "UnknownMethod", "NotSupported",
    ]

    /// The description of an interface, each gap in it one space.
    private static func text(_ name: String) throws -> String {
        let text = try Sources.text("dbus/interfaces/org.roundel.\(name).xml")
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// What stands between two texts; fails where they are not there.
    private static func part(_ text: String, after start: String, to end: String) throws -> String {
        guard let from = text.firstRange(of: start) else { throw Failure("“\(start)” is not in the description") }
        let rest = text[from.upperBound...]
        guard let to = rest.firstRange(of: end) else { throw Failure("“\(end)” does not follow “\(start)”") }
        return String(rest[..<to.lowerBound])
    }

    /// The words of a list such as `a, b (what b is), c and d`: what is in brackets, or behind a colon, explains.
    private static func list(_ text: String, separators: [String] = [",", " and ", " or "]) -> [String] {
        var plain = ""
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if depth == 0 { plain.append(character) }
            if character == ")" { depth -= 1 }
        }
        for separator in separators.dropFirst() { plain = plain.replacing(separator, with: separators[0]) }
        return plain.split(separator: separators[0]).map { word in
            let word = word.split(separator: ":").first ?? ""
            return word.trimmingPrefix(" ").split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }
    }

    @Test(
        "Numbers stand beside their words",
        arguments: [
            ("Roundel1.Host", "State: ", ".", numbers(of: FolderState.self)),
            ("Roundel1.Registry", "@state: ", ".", numbers(of: FolderState.self)),
            ("Roundel1.Host", "@outcome: ", ".", numbers(of: ActionOutcome.self)),
            ("Roundel1.Registry", "urgency y, ", ";", numbers(of: FolderNotice.Urgency.self)),
            ("Roundel1.Host", "- Flags: ", ".", flagNumbers),
        ])
    func numbersAndWords(interface: String, start: String, end: String, expected: [String]) throws {
        #expect(Self.list(try Self.part(try Self.text(interface), after: start, to: end)) == expected)
    }

    @Test("The kinds of menu have their numbers", arguments: ["Roundel1.Host", "Provider1"])
    func menuKinds(interface: String) throws {
        let kinds = Self.list(try Self.part(try Self.text(interface), after: "@kind: ", to: " @target_uri"))
        let words = ["items", "a container's background", "a sidebar entry", "the toolbar button"]
        let expected = zip(MenuKind.allCases, words).map { "\($0.rawValue) for \($1)" }
        #expect(MenuKind.allCases.count == words.count)
        #expect(kinds.map { String($0.prefix { $0 != ";" && $0 != "." }) } == expected)
    }

    @Test(
        "Words are those of the interfaces of engines",
        arguments: [
            (EngineInterface.folders, "before it goes on: ", ";", words(of: FolderNeed.self)),
            (EngineInterface.folders, "direction s: ", ",", words(of: SyncTransfer.Direction.self)),
            (EngineInterface.folders, "may be none: action s (", ")", words(of: SyncRunResult.Step.Action.self)),
            (EngineInterface.folders, "(of a move), action s (", ")", words(of: SyncActivity.Action.self)),
            (EngineInterface.trash, "side s: ", ",", words(of: TrashProxy.Side.self)),
            (EngineInterface.conflicts, "@how: ", ". @options", words(of: SyncConflict.Choice.self)),
            (EngineInterface.network, "those on which it begins: ", ";", words(of: SyncNetworkUse.Day.self)),
        ])
    func plainWords(interface: EngineInterface, start: String, end: String, expected: [String]) throws {
        let text = try Self.text("Roundel1.Engine.\(interface.rawValue)")
        let found = Self.list(try Self.part(text, after: start, to: end).replacing("; absent when nothing", with: ""))
        #expect(found == expected)
    }

    @Test(
        "Words that are explained are those of the interfaces of engines",
        arguments: [
            (EngineInterface.conflicts, "kind s (", ")", words(of: SyncConflict.Kind.self)),
            (EngineInterface.trash, "reason s (", ")", words(of: SyncTrashItem.Reason.self)),
            (EngineInterface.trash, "place s (", ")", words(of: SyncTrashItem.Place.self)),
        ])
    func explainedWords(interface: EngineInterface, start: String, end: String, expected: [String]) throws {
        let text = try Self.part(try Self.text("Roundel1.Engine.\(interface.rawValue)"), after: start, to: end)
        #expect(Self.list(text, separators: [";"]) == expected)
    }

    @Test("The common badges are named, for items and for states")
    func badges() throws {
        let common = Badge.common.map(\.identifier)
        let host = try Self.part(try Self.text("Roundel1.Host"), after: "one of the common ", to: ", or PROVIDER-ID")
        #expect(Self.list(host) == common)
        let worker = try Self.part(
            try Self.text("Roundel1.Engine.Folders"), after: "common badge identifiers: ", to: ".")
        #expect(Self.list(worker) == common)
    }

    @Test("Attributes are named with their types", arguments: ["Roundel1.Host", "Provider1"])
    func attributes(interface: String) throws {
        let text = try Self.part(try Self.text(interface), after: "@attributes: ", to: ". @extra")
        let found = Set(Self.list(text))
        #expect(
            found.map { String($0.prefix { $0 != " " }) }.sorted() == AttributeKey.allCases.map(\.rawValue).sorted())
        let examples: [String: AttributeValue] = [
            "s": .string(""), "y": .byte(0), "t": .unsigned(0), "x": .signed(0), "as": .strings([]),
            "b": .truth(false),
        ]
        for entry in found {
            let words = entry.split(separator: " ").map(String.init)
            let key = try #require(AttributeKey(rawValue: words[0]))
            for (type, value) in examples { #expect(value.fits(key) == (type == words[1]), "\(entry)") }
        }
    }

    @Test("The properties of the Host interface are its elements")
    func properties() throws {
        let text = try Self.text("Roundel1.Host")
        let found = text.split(separator: "<property name=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
        #expect(found == HostProperty.allCases.map(\.rawValue))
    }

    @Test("The errors of engines are in the table", arguments: EngineInterface.allCases)
    func engineErrors(interface: EngineInterface) throws {
        let text = try Self.text("Roundel1.Engine.\(interface.rawValue)")
        let errors = Self.list(try Self.part(text, after: "a sentence for a person: ", to: ". A call that waits"))
        #expect(errors.count > 1)
        for error in errors { #expect(RoundelError.Code(rawValue: error) != nil, "\(error)") }
    }

    @Test("Every error of the table is described, and every error that a description names is in it")
    func errors() throws {
        var described: Set<String> = []
        for name in Self.names {
            // Annotations name types of generated code.
            let text = try Sources.text("dbus/interfaces/org.roundel.\(name).xml")
                .split(separator: "\n").filter { !$0.contains("<annotation ") }.joined(separator: "\n")
            var elements: Set<String> = ["BusName", "EmitsChangedSignal"]
            for element in text.split(separator: " name=\"").dropFirst() {
                elements.insert(String(element.prefix { $0 != "\"" }))
            }
            for word in text.split(whereSeparator: { !$0.isLetter }).map(String.init) where !elements.contains(word) {
                let capitals = word.count { $0.isUppercase }
                let isName = word.first?.isUppercase == true && capitals > 1 && word.contains(where: \.isLowercase)
                if isName || RoundelError.Code(rawValue: word) != nil { described.insert(word) }
            }
        }
        // A description names members of other interfaces, too.
        for name in Self.names {
            let text = try Sources.text("dbus/interfaces/org.roundel.\(name).xml")
            for kind in ["method", "signal", "property"] {
                for element in text.split(separator: "<\(kind) name=\"").dropFirst() {
                    described.remove(String(element.prefix { $0 != "\"" }))
                }
            }
        }
        let codes = Set(RoundelError.Code.allCases.map(\.rawValue))
        #expect(described.subtracting(codes).subtracting(Self.otherWords) == [])
        #expect(codes.subtracting(described) == [])
    }
}
