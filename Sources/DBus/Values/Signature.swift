/// A sequence of D-Bus types, for example `sa{sv}`, that follows the D-Bus specification, "Valid Signatures".
public struct Signature: Sendable, Hashable, CustomStringConvertible {
    /// The signature as text.
    public let rawValue: String

    /// Creates a valid signature: at most 255 bytes, with arrays and structures each nested at most 32 deep.
    ///
    /// - Throws: `InvalidSignature` with the refused text.
    public init(_ signature: String) throws(DBusError) {
        guard Signature.isValid(signature) else {
            throw DBusError(.invalidSignature, "“\(signature)” is not a valid D-Bus signature.")
        }
        self.rawValue = signature
    }

    /// Creates a signature that libdbus or this module has already validated.
    init(unchecked signature: String) { self.rawValue = signature }

    /// The empty signature.
    public static let empty = Signature(unchecked: "")

    /// Whether it consists of exactly one complete type.
    var isSingle: Bool {
        rawValue.withUTF8Bytes { bytes in
            if bytes.count == 1 { return true }
            var parser = SignatureParser(bytes)
            return parser.skipCompleteType() && parser.isAtEnd
        }
    }

    /// Whether it is one basic type; only those can be keys of a dictionary.
    var isBasic: Bool { rawValue.utf8.count == 1 && SignatureParser.isBasic(rawValue.utf8.first ?? 0) }

    /// The complete types one by one: for `sa{sv}`, `s` and `a{sv}`.
    package var completeTypes: [Signature] {
        rawValue.withUTF8Bytes { bytes in
            var parser = SignatureParser(bytes)
            var types: [Signature] = []
            while !parser.isAtEnd {
                let start = parser.position
                guard parser.skipCompleteType() else { break }
                types.append(Signature(unchecked: String(decoding: bytes[start..<parser.position], as: UTF8.self)))
            }
            return types
        }
    }

    /// The signature, for users and logs.
    public var description: String { rawValue }

    static func isValid(_ signature: String) -> Bool {
        signature.withUTF8Bytes { bytes in
            guard bytes.count <= 255 else { return false }
            var parser = SignatureParser(bytes)
            while !parser.isAtEnd {
                guard parser.skipCompleteType() else { return false }
            }
            return true
        }
    }
}

extension Signature: ExpressibleByStringLiteral {
    /// Creates a signature from a literal; an invalid one is a programming error and traps.
    public init(stringLiteral signature: String) {
        precondition(Signature.isValid(signature), "invalid signature literal")
        self.rawValue = signature
    }
}

/// Parses the complete types of a signature.
struct SignatureParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0
    private var arrayDepth = 0
    private var structureDepth = 0

    /// The bytes must outlive the parser.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    static func isBasic(_ code: UInt8) -> Bool {
        switch code {
        case UInt8(ascii: "y"), UInt8(ascii: "b"), UInt8(ascii: "n"), UInt8(ascii: "q"), UInt8(ascii: "i"),
            UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "s"),
            UInt8(ascii: "o"), UInt8(ascii: "g"), UInt8(ascii: "h"):
            true
        default: false
        }
    }

    /// Advances past one complete type; false if there is none or it is malformed or nested too deeply.
    mutating func skipCompleteType() -> Bool {
        guard position < bytes.count else { return false }
        let code = bytes[position]
        position += 1
        if SignatureParser.isBasic(code) || code == UInt8(ascii: "v") { return true }
        if code == UInt8(ascii: "a") { return skipArrayElement() }
        if code == UInt8(ascii: "(") { return skipStructure() }
        return false
    }

    private mutating func skipArrayElement() -> Bool {
        arrayDepth += 1
        defer { arrayDepth -= 1 }
        guard arrayDepth <= 32, position < bytes.count else { return false }
        guard bytes[position] == UInt8(ascii: "{") else { return skipCompleteType() }
        position += 1
        structureDepth += 1
        defer { structureDepth -= 1 }
        guard structureDepth <= 32, position < bytes.count, SignatureParser.isBasic(bytes[position]) else {
            return false
        }
        position += 1
        return skipCompleteType() && skip(UInt8(ascii: "}"))
    }

    private mutating func skipStructure() -> Bool {
        structureDepth += 1
        defer { structureDepth -= 1 }
        guard structureDepth <= 32 else { return false }
        var members = 0
        while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
            guard skipCompleteType() else { return false }
            members += 1
        }
        return members > 0 && skip(UInt8(ascii: ")"))
    }

    private mutating func skip(_ code: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == code else { return false }
        position += 1
        return true
    }
}

extension String {
    /// Calls `body` with the string's UTF-8, without copying it to the heap.
    func withUTF8Bytes<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
