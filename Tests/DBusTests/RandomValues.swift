import DBus
import TestSupport

extension SeededRandom {
    private static let basicTypes: [Signature] = ["y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g"]

    mutating func type(depth: Int = 0) -> Signature {
        switch depth >= 4 ? 0 : Int.random(in: 0..<10, using: &self) {
        case 6: return make("a\(type(depth: depth + 1))")
        case 7:
            let members = (0..<Int.random(in: 1...4, using: &self)).map { _ in type(depth: depth + 1).rawValue }
            return make("(\(members.joined()))")
        case 8: return make("a{\(basicType())\(type(depth: depth + 1))}")
        case 9: return "v"
        default: return basicType()
        }
    }

    private mutating func basicType() -> Signature {
        SeededRandom.basicTypes.randomElement(using: &self) ?? "s"
    }

    private func make(_ text: String) -> Signature { (try? Signature(text)) ?? "s" }

    mutating func value(_ type: Signature, depth: Int = 0) -> DBusValue {
        let text = type.rawValue
        switch text.first {
        case "y": return .byte(.random(in: .min ... .max, using: &self))
        case "b": return .bool(.random(using: &self))
        case "n": return .int16(.random(in: .min ... .max, using: &self))
        case "q": return .uint16(.random(in: .min ... .max, using: &self))
        case "i": return .int32(.random(in: .min ... .max, using: &self))
        case "u": return .uint32(.random(in: .min ... .max, using: &self))
        case "x": return .int64(.random(in: .min ... .max, using: &self))
        case "t": return .uint64(.random(in: .min ... .max, using: &self))
        case "d": return .double(.random(in: -1e300...1e300, using: &self))
        case "s": return .string(string())
        case "o": return .objectPath((try? ObjectPath("/a\(UInt16.random(in: 0...999, using: &self))/b")) ?? "/")
        case "g": return .signature(self.type(depth: 2))
        case "v": return .variant(value(self.type(depth: min(depth + 2, 4)), depth: depth + 1))
        case "(":
            return .structure(make(String(text.dropFirst().dropLast())).completeTypes.map { value($0, depth: depth) })
        default: return array(type, depth)
        }
    }

    private mutating func array(_ type: Signature, _ depth: Int) -> DBusValue {
        let element = String(type.rawValue.dropFirst())
        let count = Int.random(in: 0...(depth > 2 ? 1 : 4), using: &self)
        guard element.first == "{" else {
            let signature = make(element)
            return .array(element: signature, (0..<count).map { _ in value(signature, depth: depth + 1) })
        }
        let types = make(String(element.dropFirst().dropLast())).completeTypes
        let entries = (0..<count).map { _ in
            DBusValue.DictionaryEntry(key: value(types[0], depth: depth + 1), value: value(types[1], depth: depth + 1))
        }
        return .dictionary(key: types[0], value: types[1], entries)
    }

    mutating func string() -> String {
        let scalars: [ClosedRange<UInt32>] = [1...0x7f, 0x20...0x7e, 0x80...0x7ff, 0x800...0xd7ff, 0x10000...0x10ffff]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &self) {
            let range = scalars.randomElement(using: &self) ?? 1...0x7f
            if let scalar = UnicodeScalar(UInt32.random(in: range, using: &self)) { text.append(scalar) }
        }
        return String(text)
    }
}
