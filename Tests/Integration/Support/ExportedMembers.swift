import DBus
import Glibc
import TestSupport

/// What a connection exports, as its introspection tells: every method of every object.
struct ExportedMember: CustomStringConvertible {
    /// One argument that a method takes.
    struct Argument {
        let name: String
        let type: Signature
    }

    let path: ObjectPath
    let interface: String
    let name: String
    let input: [Argument]

    var description: String { "\(path) \(interface).\(name)" }

    /// Every method of a connection's objects, from the root down.
    static func all(of destination: String, in world: World, asking bus: Connection) throws -> [ExportedMember] {
        try members(of: destination, "/", world, bus)
    }

    private static func members(
        of destination: String, _ path: ObjectPath, _ world: World, _ bus: Connection
    ) throws -> [ExportedMember] {
        let reply = try world.call(
            bus, destination, path, "org.freedesktop.DBus.Introspectable", "Introspect", [])
        var document = Document(path: path)
        for tag in (reply.first?.string ?? "").split(separator: "<").dropFirst() { document.read(tag) }
        var found = document.members
        for child in document.children {
            let below = try ObjectPath(path == "/" ? "/\(child)" : "\(path)/\(child)")
            found += try members(of: destination, below, world, bus)
        }
        return found
    }

    /// The tags of one introspection document, which has them one after the other.
    private struct Document {
        let path: ObjectPath
        private(set) var members: [ExportedMember] = []
        private(set) var children: [String] = []
        private var interface = ""

        init(path: ObjectPath) { self.path = path }

        mutating func read(_ tag: Substring) {
            let name = attribute("name", of: tag)
            switch tag.prefix(while: { !" />".contains($0) }) {
            case "node": name.map { children.append($0) }
            case "interface": interface = name ?? ""
            case "method":
                members.append(ExportedMember(path: path, interface: interface, name: name ?? "", input: []))
            case "arg" where attribute("direction", of: tag) == "in":
                guard let type = attribute("type", of: tag), let signature = try? Signature(type),
                    let method = members.popLast()
                else { return }
                members.append(
                    ExportedMember(
                        path: method.path, interface: method.interface, name: method.name,
                        input: method.input + [Argument(name: name ?? "", type: signature)]))
            default: return
            }
        }

        private func attribute(_ name: String, of tag: Substring) -> String? {
            let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
            let at = parts.indices.first { parts[$0].hasSuffix(" \(name)=") }
            return at.flatMap { $0 + 1 < parts.endIndex ? String(parts[$0 + 1]) : nil }
        }
    }
}

/// Values of any type whose numbers are the smallest, the largest, 0, 1 and -1 of theirs.
struct ExtremeValues {
    /// How many values a number takes in turn.
    static let count = 6

    /// What an argument of this name takes where its type is a string.
    let texts: [String: String]

    /// The value of an argument.
    /// - Parameter turn: which extreme, from 0 to ``count``.
    func value(_ argument: ExportedMember.Argument, _ turn: Int) -> DBusValue {
        if argument.type == "s" { return .string(text(argument.name)) }
        if argument.type == "as" { return .strings([text(argument.name)]) }
        return value(argument.type, turn)
    }

    private func text(_ name: String) -> String {
        texts[name] ?? (name.contains("uri") ? texts["uri"] ?? "" : "")
    }

    private func value(_ type: Signature, _ turn: Int) -> DBusValue {
        let text = type.rawValue
        switch text.first {
        case "y": return .byte(Self.number(turn))
        case "b": return .bool(turn % 2 == 1)
        case "n": return .int16(Self.number(turn))
        case "q": return .uint16(Self.number(turn))
        case "i": return .int32(Self.number(turn))
        case "u": return .uint32(Self.number(turn))
        case "x": return .int64(Self.number(turn))
        case "t": return .uint64(Self.number(turn))
        case "d": return .double([-.infinity, .infinity, .nan, 0, -1, .greatestFiniteMagnitude][turn])
        case "s": return .string(texts["uri"] ?? "")
        case "o": return .objectPath("/")
        case "g": return .signature("u")
        case "h": return .fileDescriptor(OwnedFileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)))
        case "v": return .variant(turn % 2 == 0 ? .int32(Self.number(turn)) : .uint64(Self.number(turn)))
        case "(":
            return .structure(Self.types(text.dropFirst().dropLast()).map { value($0, turn) })
        default: return array(text, turn)
        }
    }

    private func array(_ text: String, _ turn: Int) -> DBusValue {
        guard text.hasPrefix("a{") else {
            let element = Self.types(text.dropFirst())[0]
            // All extremes at once, this one first.
            return .array(
                element: element, (0..<Self.count).map { value(element, (turn + $0) % Self.count) })
        }
        if text == "a{sv}" { return .map(options(turn)) }
        let types = Self.types(text.dropFirst(2).dropLast())
        return .dictionary(
            key: types[0], value: types[1], [.init(key: value(types[0], turn), value: value(types[1], turn))])
    }

    /// Every option with a number in it that any of the interfaces knows.
    private func options(_ turn: Int) -> VariantMap {
        [
            "timestamp": .uint32(Self.number(turn)), "transfers": .uint32(Self.number(turn)),
            "notices": .maps([
                [
                    "id": .string("n"), "title": .string("N"), "count": .uint32(Self.number(turn)),
                    "urgency": .byte(Self.number(turn)),
                ]
            ]), "watch": .bool(true), "desktop-startup-id": .string("x_TIME\(Self.number(turn) as Int64)"),
            "dry-run": .bool(true),
        ]
    }

    private static func number<T: FixedWidthInteger>(_ turn: Int) -> T {
        [T.min, T.max, 0, 1, T(truncatingIfNeeded: -1), T.max / 2 + 1][turn]
    }

    private static func types(_ text: some StringProtocol) -> [Signature] {
        (try? Signature(String(text)))?.completeTypes ?? []
    }
}
