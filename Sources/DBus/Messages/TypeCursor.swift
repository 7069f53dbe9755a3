/// The types that may be written next inside a container. They are checked because libdbus ends the process if it is
/// asked to write a type that does not match the container's signature.
struct TypeCursor {
    /// The signature; nil at the top level and in its structures, where the written values define it.
    private let types: [UInt8]?
    private var position: Int
    private let repeats: Bool
    /// The type of an array's elements, if it has one letter; then there is no list of types.
    private let single: UInt8?

    /// Whether any type is allowed.
    var isFree: Bool { types == nil && single == nil }

    /// Allows any types.
    static var free: TypeCursor { TypeCursor(types: nil, position: 0, repeats: false) }

    /// Allows any number of `element`.
    static func array(of element: Signature) -> TypeCursor {
        // Most arrays contain one-letter types, which need no list.
        if element.rawValue.utf8.count == 1, let code = element.rawValue.utf8.first {
            return TypeCursor(types: nil, position: 0, repeats: true, single: code)
        }
        return TypeCursor(types: Array(element.rawValue.utf8), position: 0, repeats: true)
    }

    /// Allows exactly the types of `signature`.
    static func exactly(_ signature: Signature) -> TypeCursor {
        TypeCursor(types: Array(signature.rawValue.utf8), position: 0, repeats: false)
    }

    private init(types: [UInt8]?, position: Int, repeats: Bool, single: UInt8? = nil) {
        self.types = types
        self.position = position
        self.repeats = repeats
        self.single = single
    }

    /// Whether the container is complete: always for an array, otherwise once each of its types was written.
    var isComplete: Bool {
        guard let types, !repeats else { return true }
        return position >= types.count || types[position] == UInt8(ascii: ")") || types[position] == UInt8(ascii: "}")
    }

    /// Advances past the one-letter type `code`, if that is expected next.
    @inline(__always)
    mutating func take(_ code: UInt8) -> Bool {
        guard let types else { return single == nil || single == code }
        guard position < types.count, types[position] == code else { return false }
        if !repeats { position += 1 }
        return true
    }

    /// Advances past the complete type `type`, if that is expected next.
    mutating func take(_ type: Signature) -> Bool {
        guard let types else { return isFree }
        let length = type.rawValue.utf8.count
        guard position + length <= types.count, types[position..<position + length].elementsEqual(type.rawValue.utf8)
        else { return false }
        if !repeats { position += length }
        return true
    }

    /// Advances past the expected structure or dictionary entry and returns the cursor for its contents.
    mutating func enter(_ opening: UInt8) -> TypeCursor? {
        guard let types else { return isFree ? .free : nil }
        guard position < types.count, types[position] == opening else { return nil }
        let inner = TypeCursor(types: types, position: position + 1, repeats: false)
        if !repeats { position = end(of: position) }
        return inner
    }

    /// The type expected next, for an error message.
    var expectation: String {
        if let single { return "“\(String(UnicodeScalar(single)))”" }
        guard let types, position < types.count else { return "nothing" }
        return "“\(String(decoding: types[position...], as: UTF8.self))”"
    }

    private func end(of opening: Int) -> Int {
        guard let types else { return opening }
        var depth = 0
        for index in opening..<types.count {
            switch types[index] {
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return types.count
    }
}
