import DBus
import RoundelBus
import TestSupport

/// Values of any type as somebody sends them who means harm: the smallest and the largest, the empty and the huge, the
/// nearly right and the wholly wrong, and some that are right, without which nothing of it would get far.
struct HostileValues {
    var random: SeededRandom
    /// URIs that mean something to the service.
    let uris: [String]
    /// The numbers of menus that it gave.
    private(set) var menus: [UInt64] = [1]

    init(_ random: SeededRandom, uris: [String]) {
        self.random = random
        self.uris = uris
    }

    /// Remembers a menu; the newest few are used.
    mutating func noteMenu(_ number: UInt64) { menus = menus.suffix(7) + [number] }

    // MARK: Chances

    /// True once in so many times.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }

    // MARK: Arguments

    /// What a method gets that takes these; now and then other types than those.
    mutating func arguments(_ input: [ExportedMember.Argument]) -> [DBusValue] {
        if once(in: 16) { return wrongArguments() }
        return input.map { value($0.type.rawValue, of: $0.name, depth: 0) }
    }

    /// Any arguments at all.
    mutating func wrongArguments() -> [DBusValue] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in value(pick(Self.types), of: "", depth: 0) }
    }

    /// Values of a whole signature.
    mutating func values(_ signature: String) -> [DBusValue] {
        Self.types(of: signature).map { value($0, of: $0 == "as" ? "names" : "", depth: 0) }
    }

    private static let types = [
        "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "v", "as", "ay", "au", "ai", "a{sv}", "aa{sv}",
        "av",
        "(sss)", "a(sss)", "a(sa{sv})", "a{ss}", "a{u(yv)}", "aaaaaaaas", "((((((((y))))))))", "a(isvu)",
        "a{oa{sa{sv}}}",
    ]

    static func types(of signature: String) -> [String] {
        ((try? Signature(signature))?.completeTypes ?? []).map(\.rawValue)
    }

    // MARK: Values

    /// - Parameter name: of the argument or the option; decides what texts and numbers are likely.
    mutating func value(_ type: String, of name: String, depth: Int) -> DBusValue {
        switch type.first {
        case "y": return .byte(number())
        case "b": return .bool(once(in: 2))
        case "n": return .int16(number())
        case "q": return .uint16(number())
        case "i": return .int32(once(in: 4) ? number() : Int32.random(in: 0...40, using: &random))
        case "u": return .uint32(once(in: 2) ? number() : UInt32.random(in: 0...5, using: &random))
        case "x": return .int64(number())
        case "t": return .uint64(once(in: 4) ? number() : pick(menus))
        case "d":
            return .double(
                pick([-.infinity, .infinity, .nan, 0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude]))
        case "s": return .string(text(name))
        case "o": return .objectPath(pick(["/", "/test/provider", "/a", Self.longPath]))
        case "g": return .signature(pick(["", "s", "a{sv}", "(((y)))"]))
        case "v": return .variant(variant(depth))
        case "(":
            let inside = String(type.dropFirst().dropLast())
            return .structure(Self.types(of: inside).map { value($0, of: "", depth: depth + 1) })
        default: return array(type, of: name, depth)
        }
    }

    private static let longPath = (try? ObjectPath("/" + String(repeating: "a", count: 5000))) ?? "/"

    private mutating func number<T: FixedWidthInteger>() -> T {
        once(in: 3)
            ? T(truncatingIfNeeded: random.next())
            : pick([T.min, T.max, 0, 1, 2, T(truncatingIfNeeded: -1), T.max / 2 + 1, 100, 101])
    }

    private mutating func variant(_ depth: Int) -> DBusValue {
        guard once(in: 40) else {
            return value(depth > 4 ? pick(["s", "u", "b"]) : pick(Self.types), of: "", depth: depth + 3)
        }
        // The bus allows 64 levels.
        return (0..<Int.random(in: 1...40, using: &random)).reduce(DBusValue.byte(1)) { inner, _ in .variant(inner) }
    }

    private mutating func array(_ type: String, of name: String, _ depth: Int) -> DBusValue {
        if type == "a{sv}" { return .map(options(depth)) }
        let element = String(type.dropFirst())
        let counts =
            depth > 1 ? [0, 1, 2] : "sybnqiuxt".contains(element) ? [0, 1, 2, 3, 30, 3000] : [0, 1, 2, 3, 20, 300]
        let count = pick(once(in: 8) ? counts : Array(counts.prefix(4)))
        guard element.hasPrefix("{") else {
            // Many huge texts would only be more than the bus takes.
            let huge = count > 30 ? value(element, of: name, depth: 9) : nil
            return .array(
                element: Self.signature(element),
                (0..<count).map { _ in huge ?? value(element, of: name, depth: depth + 1) })
        }
        let types = Self.types(of: String(element.dropFirst().dropLast()))
        return .dictionary(
            key: Self.signature(types[0]), value: Self.signature(types[1]),
            (0..<count).map { _ in
                .init(key: value(types[0], of: "", depth: depth + 1), value: value(types[1], of: "", depth: depth + 1))
            })
    }

    private static func signature(_ text: String) -> Signature { (try? Signature(text)) ?? "s" }

    // MARK: Options

    /// Every option and key that any interface knows, with its type.
    private static let keys: [(name: String, type: String)] = [
        ("id", "s"), ("name", "s"), ("icon", "s"), ("label", "s"), ("title", "s"), ("text", "s"), ("type", "s"),
        ("toolbar-item", "(sss)"), ("services", "a{so}"), ("watch", "b"), ("activation-token", "s"), ("timestamp", "u"),
        ("parent-window", "s"), ("shows-result", "b"), ("notices", "aa{sv}"), ("actions", "aa{sv}"), ("count", "u"),
        ("urgency", "y"), ("enabled", "b"), ("checked", "b"), ("children", "aa{sv}"), ("rules", "a{sv}"),
        ("kinds", "au"), ("min", "u"), ("max", "u"), ("badges", "as"), ("directories", "b"), ("files", "b"),
        ("state", "s"), ("progress", "y"), ("bytes-done", "t"), ("last-synced", "x"), ("message", "s"), ("tags", "as"),
        ("desktop-startup-id", "s"), ("remote-uri", "s"), ("labels", "a{sa{ss}}"),
    ]

    private mutating func options(_ depth: Int) -> VariantMap {
        var map: VariantMap = [:]
        for _ in 0..<Int.random(in: 0...(depth > 2 ? 3 : 9), using: &random) {
            let key = pick(Self.keys)
            let type = once(in: 8) ? pick(Self.types) : key.type
            map[once(in: 12) ? text("") : key.name] = value(type, of: key.name, depth: depth + 1)
        }
        return map
    }

    // MARK: Texts

    private mutating func text(_ name: String) -> String {
        if once(in: 3) { return pick(Self.texts) }
        if once(in: 400) { return String(repeating: "x", count: 1 << 20) }
        if name.contains("uri") { return nearly(pick(uris)) }
        if name.hasPrefix("name") || name == "after" { return nearly(pick(Self.names)) }
        return pick(Self.words)
    }

    /// The text, or one that differs from it in a place.
    private mutating func nearly(_ text: String) -> String {
        guard once(in: 6) else { return text }
        var scalars = Array(text.unicodeScalars)
        let place = Int.random(in: 0...scalars.count, using: &random)
        scalars.insert(pick(["%", "/", ".", "\u{1}", "?", "#", "ä", "\u{10FFFF}"]), at: place)
        return String(String.UnicodeScalarView(scalars))
    }

    private static let names = ["a", "b", "report.pdf", "%C3%A4", "%FF%FE", "a%20b", "inner"]

    /// What means something somewhere: ids, badges, members, events, interfaces.
    private static let words = [
        "test", "other", "roundel", "test/act", "act", "other/act", "synced", "error", "test.star", "other.star",
        "state",
        "clicked", "opened", "closed", "label", "icon-name", "children-display", "Folders", "Badges", "FolderStatus",
        "ToolTip", "IconPixmap", Names.host, Names.registry, "org.kde.StatusNotifierItem", "com.canonical.dbusmenu",
        "separator", "submenu", "settings", "activate", "0", "1", "-1", "18446744073709551615", "emblem-roundel-synced",
    ]

    private static let texts = [
        "", " ", ".", "..", "/", "%", "%%", "%2F", "%00", "%2E%2E", "%zz", "%C3%A4", "%FF%FE", "\n", "\u{1}\u{7F}", "é",
        "e\u{301}", "\u{202E}abc", "\u{10FFFF}", "<b>&amp;</b>", "_a__b", "file:///", "file://", "file:///a/../b",
        "file://localhost/tmp", "file://elsewhere/x", "http://x/", "file:///%", "file:///nowhere/at/all", "/etc/passwd",
        "../../x", String(repeating: "x", count: 300), String(repeating: "ä", count: 5000),
        "file:///" + String(repeating: "x", count: 4086), "file:///" + String(repeating: "y/", count: 2040),
        "file:///" + String(repeating: "%41", count: 4000), "file://" + String(repeating: "/", count: 9000),
    ]
}
