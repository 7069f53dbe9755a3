/// A value of any D-Bus type.
public indirect enum DBusValue: Sendable, Hashable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case bool(Bool)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(Signature)
    /// `h`; closed when the last value that contains it is released, so that one in an unread value does not stay open.
    case fileDescriptor(OwnedFileDescriptor)
    /// `a…` with the signature of its elements.
    case array(element: Signature, [DBusValue])
    /// `(…)`
    case structure([DBusValue])
    /// `a{…}` with the signatures of keys and values, in the order of the message.
    case dictionary(key: Signature, value: Signature, [DictionaryEntry])
    /// `v`
    case variant(DBusValue)

    /// One entry of a dictionary.
    public struct DictionaryEntry: Sendable, Hashable {
        /// The key, of a basic type.
        public let key: DBusValue
        /// The value.
        public let value: DBusValue

        /// Creates an entry.
        public init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }
}

extension DBusValue {
    /// The type of the value.
    public var signature: Signature { Signature(unchecked: signatureText) }

    private var signatureText: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .array(let element, _): "a" + element.rawValue
        case .structure(let members): "(" + members.map(\.signatureText).joined() + ")"
        case .dictionary(let key, let value, _): "a{" + key.rawValue + value.rawValue + "}"
        case .variant: "v"
        }
    }

    /// An array of strings, `as`.
    public static func strings(_ strings: some Sequence<String>) -> DBusValue {
        .array(element: "s", strings.map { .string($0) })
    }

    /// An array of bytes, `ay`.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> DBusValue {
        .array(element: "y", bytes.map { .byte($0) })
    }

    /// An array of numbers, `au`.
    public static func uint32s(_ numbers: some Sequence<UInt32>) -> DBusValue {
        .array(element: "u", numbers.map { .uint32($0) })
    }

    /// A dictionary `a{sv}`, its keys in ascending order.
    public static func map(_ map: VariantMap) -> DBusValue {
        let entries = map.sorted { $0.key < $1.key }
            .map { DictionaryEntry(key: .string($0.key), value: .variant($0.value)) }
        return .dictionary(key: "s", value: "v", entries)
    }

    /// An array of dictionaries, `aa{sv}`.
    public static func maps(_ maps: some Sequence<VariantMap>) -> DBusValue {
        .array(element: "a{sv}", maps.map { .map($0) })
    }
}

extension DBusValue {
    /// The number, if it is a byte.
    public var byte: UInt8? { if case .byte(let value) = self { value } else { nil } }
    /// The truth value, if it is a `b`.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, if it is an `n`.
    public var int16: Int16? { if case .int16(let value) = self { value } else { nil } }
    /// The number, if it is a `q`.
    public var uint16: UInt16? { if case .uint16(let value) = self { value } else { nil } }
    /// The number, if it is an `i`.
    public var int32: Int32? { if case .int32(let value) = self { value } else { nil } }
    /// The number, if it is a `u`.
    public var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    /// The number, if it is an `x`.
    public var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
    /// The number, if it is a `t`.
    public var uint64: UInt64? { if case .uint64(let value) = self { value } else { nil } }
    /// The number, if it is a `d`.
    public var double: Double? { if case .double(let value) = self { value } else { nil } }
    /// The text, if it is an `s`.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The path, if it is an `o`.
    public var objectPath: ObjectPath? { if case .objectPath(let value) = self { value } else { nil } }
    /// The members, if it is a structure.
    public var members: [DBusValue]? { if case .structure(let members) = self { members } else { nil } }
    /// The elements, if it is an array (a dictionary is not).
    public var elements: [DBusValue]? { if case .array(_, let elements) = self { elements } else { nil } }
    /// The strings, if it is an `as`.
    public var strings: [String]? { elements(of: "s", \.string) }
    /// The bytes, if it is an `ay`.
    public var bytes: [UInt8]? { elements(of: "y", \.byte) }
    /// The numbers, if it is an `au`.
    public var uint32s: [UInt32]? { elements(of: "u", \.uint32) }
    /// The dictionaries, if it is an `aa{sv}`.
    public var maps: [VariantMap]? { elements(of: "a{sv}", \.map) }

    /// The dictionary, if it is an `a{sv}`; the last of several equal keys counts.
    public var map: VariantMap? {
        guard case .dictionary("s", "v", let entries) = self else { return nil }
        var map: VariantMap = [:]
        map.reserveCapacity(entries.count)
        for entry in entries {
            guard case .string(let key) = entry.key, case .variant(let value) = entry.value else { return nil }
            map[key] = value
        }
        return map
    }

    private func elements<T>(of signature: Signature, _ convert: (DBusValue) -> T?) -> [T]? {
        guard case .array(signature, let elements) = self else { return nil }
        var result: [T] = []
        result.reserveCapacity(elements.count)
        for element in elements {
            guard let converted = convert(element) else { return nil }
            result.append(converted)
        }
        return result
    }
}
