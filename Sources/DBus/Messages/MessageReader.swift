internal import CDBus
internal import Glibc

/// Reads the arguments of a message one after the other.
///
/// Reading a value of another type than expected throws `InvalidArgs` and does not change the position.
public struct MessageReader {
    /// Keeps the memory alive to which the iterator points.
    private let message: Message
    private var iterator = DBusMessageIter()
    /// The number of values that were read or skipped.
    private var steps = 0

    init(_ message: Message) {
        self.message = message
        dbus_message_iter_init(message.pointer, &iterator)
    }

    private init(_ message: Message, inside outer: inout DBusMessageIter) {
        self.message = message
        dbus_message_iter_recurse(&outer, &iterator)
    }

    /// The type code at the position; 0 at the end.
    private var code: Int32 {
        mutating get { dbus_message_iter_get_arg_type(&iterator) }
    }

    /// Whether this message, array, structure or variant contains nothing more.
    public var isAtEnd: Bool {
        // libdbus only reads the iterator, but requires a mutable one.
        var copy = iterator
        return dbus_message_iter_get_arg_type(&copy) == CDBUS_TYPE_INVALID
    }

    /// The type of the value at the position; empty at the end.
    public var signature: Signature {
        var copy = iterator
        guard !isAtEnd, let text = dbus_message_iter_get_signature(&copy) else { return .empty }
        defer { dbus_free(text) }
        return Signature(unchecked: String(cString: text))
    }

    /// Skips one value.
    public mutating func skip() {
        guard code != CDBUS_TYPE_INVALID else { return }
        advance()
    }

    private mutating func advance() {
        dbus_message_iter_next(&iterator)
        steps &+= 1
    }

    /// Fails if the message, array, structure or variant contains anything more.
    public mutating func expectEnd() throws(DBusError) {
        guard isAtEnd else { throw .invalidArgs("There is an unexpected value of type “\(signature)”.") }
    }

    private mutating func expect(_ expected: Int32, _ name: StaticString) throws(DBusError) {
        if code == expected { return }
        let found = isAtEnd ? "nothing" : "a value of type “\(signature)”"
        throw .invalidArgs("Expected \(name), found \(found).")
    }

    private mutating func basic<T: BitwiseCopyable>(
        _ expected: Int32, _ name: StaticString, _ initial: T
    ) throws(DBusError) -> T {
        try expect(expected, name)
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        advance()
        return value
    }

    private mutating func text(_ expected: Int32, _ name: StaticString) throws(DBusError) -> String {
        let pointer: UnsafePointer<CChar>? = try basic(expected, name, nil)
        return pointer.map { String(cString: $0) } ?? ""
    }

    /// Reads a `y`.
    public mutating func readByte() throws(DBusError) -> UInt8 { try basic(CDBUS_TYPE_BYTE, "a byte", 0) }
    /// Reads a `b`.
    public mutating func readBool() throws(DBusError) -> Bool {
        try basic(CDBUS_TYPE_BOOLEAN, "a boolean", dbus_bool_t(0)) != 0
    }
    /// Reads an `n`.
    public mutating func readInt16() throws(DBusError) -> Int16 { try basic(CDBUS_TYPE_INT16, "an int16", 0) }
    /// Reads a `q`.
    public mutating func readUInt16() throws(DBusError) -> UInt16 { try basic(CDBUS_TYPE_UINT16, "a uint16", 0) }
    /// Reads an `i`.
    public mutating func readInt32() throws(DBusError) -> Int32 { try basic(CDBUS_TYPE_INT32, "an int32", 0) }
    /// Reads a `u`.
    public mutating func readUInt32() throws(DBusError) -> UInt32 { try basic(CDBUS_TYPE_UINT32, "a uint32", 0) }
    /// Reads an `x`.
    public mutating func readInt64() throws(DBusError) -> Int64 { try basic(CDBUS_TYPE_INT64, "an int64", 0) }
    /// Reads a `t`.
    public mutating func readUInt64() throws(DBusError) -> UInt64 { try basic(CDBUS_TYPE_UINT64, "a uint64", 0) }
    /// Reads a `d`.
    public mutating func readDouble() throws(DBusError) -> Double { try basic(CDBUS_TYPE_DOUBLE, "a double", 0) }
    /// Reads an `s`.
    public mutating func readString() throws(DBusError) -> String { try text(CDBUS_TYPE_STRING, "a string") }
    /// Reads an `o`.
    public mutating func readObjectPath() throws(DBusError) -> ObjectPath {
        ObjectPath(unchecked: try text(CDBUS_TYPE_OBJECT_PATH, "an object path"))
    }
    /// Reads a `g`.
    public mutating func readSignature() throws(DBusError) -> Signature {
        Signature(unchecked: try text(CDBUS_TYPE_SIGNATURE, "a signature"))
    }
    /// Reads an `h`. The caller owns the descriptor, which is closed on exec.
    public mutating func readFileDescriptor() throws(DBusError) -> Int32 {
        let descriptor = try basic(CDBUS_TYPE_UNIX_FD, "a file descriptor", Int32(-1))
        guard descriptor >= 0 else { throw DBusError(.ioError, "The message's file descriptor could not be read.") }
        return descriptor
    }
}

// MARK: - Containers

extension MessageReader {
    private mutating func inside<T>(
        _ expected: Int32, _ name: StaticString, _ body: (inout MessageReader) throws -> T
    ) throws -> T {
        try expect(expected, name)
        var inner = MessageReader(message, inside: &iterator)
        let result = try body(&inner)
        advance()
        return result
    }

    /// Reads a structure; values that `body` does not read are skipped.
    public mutating func readStruct<T>(_ body: (inout MessageReader) throws -> T) throws -> T {
        try inside(CDBUS_TYPE_STRUCT, "a structure", body)
    }

    /// Reads a variant; `body` gets a reader for its value.
    public mutating func readVariant<T>(_ body: (inout MessageReader) throws -> T) throws -> T {
        try inside(CDBUS_TYPE_VARIANT, "a variant", body)
    }

    /// Reads an array; `body` is called once for each element to read it. What it does not read is skipped.
    public mutating func readArray<T>(_ body: (inout MessageReader) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEachElement { reader in result.append(try body(&reader)) }
        return result
    }

    /// Reads an array; `body` is called once for each element to read it. What it does not read is skipped.
    public mutating func forEachElement(_ body: (inout MessageReader) throws -> Void) throws {
        try inside(CDBUS_TYPE_ARRAY, "an array") { inner in
            while inner.code != CDBUS_TYPE_INVALID {
                let before = inner.steps
                try body(&inner)
                if inner.steps == before { inner.advance() }
            }
        }
    }

    /// Reads a dictionary; `body` is called for each entry and reads the key and then the value.
    public mutating func readDictionary(_ body: (inout MessageReader) throws -> Void) throws {
        try expectArray(of: CDBUS_TYPE_DICT_ENTRY, "a dictionary")
        try forEachElement { inner in
            try inner.inside(CDBUS_TYPE_DICT_ENTRY, "a dictionary entry", body)
        }
    }

    /// Reads an `a{sv}`; the last of several equal keys counts.
    public mutating func readVariantMap() throws(DBusError) -> VariantMap {
        var budget = ValueBudget.unlimited
        return try readVariantMap(within: &budget)
    }

    /// Reads an `a{sv}` of a program that is not trusted; the last of several equal keys counts.
    /// - Parameter budget: How much it may hold; what it holds is taken from it.
    /// - Throws: `LimitsExceeded` if it holds more, `InvalidArgs` if there is no such dictionary.
    public mutating func readVariantMap(within budget: inout ValueBudget) throws(DBusError) -> VariantMap {
        try expectArray(of: CDBUS_TYPE_DICT_ENTRY, "a dictionary a{sv}")
        try budget.takeValue()
        var map: VariantMap = [:]
        var entries = MessageReader(message, inside: &iterator)
        while !entries.isAtEnd {
            var entry = MessageReader(message, inside: &entries.iterator)
            let key = try entry.readString()
            try budget.take(text: key)
            try entry.expect(CDBUS_TYPE_VARIANT, "a variant")
            var variant = MessageReader(message, inside: &entry.iterator)
            map[key] = try variant.readValue(within: &budget)
            entries.skip()
        }
        if map.isEmpty, signature != "a{sv}" {
            throw .invalidArgs("Expected a dictionary a{sv}, found a value of type “\(signature)”.")
        }
        skip()
        return map
    }

    private mutating func expectArray(of element: Int32, _ name: StaticString) throws(DBusError) {
        guard code == CDBUS_TYPE_ARRAY, dbus_message_iter_get_element_type(&iterator) == element else {
            let found = isAtEnd ? "nothing" : "a value of type “\(signature)”"
            throw .invalidArgs("Expected \(name), found \(found).")
        }
    }
}

// MARK: - Arrays in bulk

extension MessageReader {
    /// Reads an `as`.
    public mutating func readStringArray() throws(DBusError) -> [String] {
        var strings: [String] = []
        var marshalled = try marshalledStrings()
        while let text = marshalled.next() { strings.append(String(decoding: text, as: UTF8.self)) }
        skip()
        return strings
    }

    /// Reads an `as`; `body` is called with the UTF-8 of each string, which is valid only during the call.
    public mutating func forEachString(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var marshalled = try marshalledStrings()
        while let text = marshalled.next() { try body(text) }
        skip()
    }

    /// The strings of the array at the position.
    private mutating func marshalledStrings() throws(DBusError) -> MarshalledStrings {
        try expectArray(of: CDBUS_TYPE_STRING, "an array of strings")
        var inner = MessageReader(message, inside: &iterator)
        return MarshalledStrings(first: inner.nextCString())
    }

    private mutating func nextCString() -> UnsafePointer<CChar>? {
        guard code == CDBUS_TYPE_STRING else { return nil }
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        advance()
        return pointer
    }

    /// Reads an `s`; `body` is called with its UTF-8, which is valid only during the call.
    public mutating func withString<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) throws -> T {
        try expect(CDBUS_TYPE_STRING, "a string")
        guard let text = nextCString() else { throw DBusError.invalidArgs("Expected a string.") }
        return try body(utf8(text))
    }

    /// Reads an array of numbers in one copy.
    public mutating func readFixedArray<T: FixedType>(of type: T.Type = T.self) throws(DBusError) -> [T] {
        guard code == CDBUS_TYPE_ARRAY,
            dbus_message_iter_get_element_type(&iterator) == Int32(T.typeCode)
        else {
            throw .invalidArgs("Expected an array a\(T.dbusSignature), found a value of type “\(signature)”.")
        }
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        var first: UnsafePointer<T>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner, &first, &count)
        skip()
        guard let first, count > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: first, count: Int(count)))
    }

    /// Reads an `ay`.
    public mutating func readBytes() throws(DBusError) -> [UInt8] { try readFixedArray(of: UInt8.self) }

    /// Reads an `au`.
    public mutating func readUInt32Array() throws(DBusError) -> [UInt32] { try readFixedArray(of: UInt32.self) }

    private func utf8(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
        let length = strlen(text)
        return UnsafeRawPointer(text).withMemoryRebound(to: UInt8.self, capacity: length) {
            UnsafeBufferPointer(start: $0, count: length)
        }
    }
}

// MARK: - Values of any type

extension MessageReader {
    /// Reads all remaining values.
    public mutating func readAll() throws(DBusError) -> [DBusValue] {
        var budget = ValueBudget.unlimited
        return try readAll(within: &budget)
    }

    /// Reads one value of any type.
    public mutating func readValue() throws(DBusError) -> DBusValue {
        var budget = ValueBudget.unlimited
        return try readValue(within: &budget)
    }

    private mutating func readAll(within budget: inout ValueBudget) throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while !isAtEnd { values.append(try readValue(within: &budget)) }
        return values
    }

    /// Reads one value of any type.
    /// - Parameter budget: How much it may hold, itself included; what it holds is taken from it.
    /// - Throws: `LimitsExceeded` if it holds more, `InvalidArgs` at the end.
    public mutating func readValue(within budget: inout ValueBudget) throws(DBusError) -> DBusValue {
        try budget.takeValue()
        switch code {
        case CDBUS_TYPE_BYTE: return .byte(try readByte())
        case CDBUS_TYPE_BOOLEAN: return .bool(try readBool())
        case CDBUS_TYPE_INT16: return .int16(try readInt16())
        case CDBUS_TYPE_UINT16: return .uint16(try readUInt16())
        case CDBUS_TYPE_INT32: return .int32(try readInt32())
        case CDBUS_TYPE_UINT32: return .uint32(try readUInt32())
        case CDBUS_TYPE_INT64: return .int64(try readInt64())
        case CDBUS_TYPE_UINT64: return .uint64(try readUInt64())
        case CDBUS_TYPE_DOUBLE: return .double(try readDouble())
        case CDBUS_TYPE_STRING:
            let text = try readString()
            try budget.take(text: text)
            return .string(text)
        case CDBUS_TYPE_OBJECT_PATH:
            let path = try readObjectPath()
            try budget.take(text: path.rawValue)
            return .objectPath(path)
        case CDBUS_TYPE_SIGNATURE: return .signature(try readSignature())
        case CDBUS_TYPE_UNIX_FD: return .fileDescriptor(OwnedFileDescriptor(owning: try readFileDescriptor()))
        case CDBUS_TYPE_ARRAY: return try readArrayValue(within: &budget)
        case CDBUS_TYPE_STRUCT: return .structure(try readMembers(within: &budget))
        case CDBUS_TYPE_VARIANT: return .variant(try readVariantValue(within: &budget))
        default: throw .invalidArgs("Expected a value, found nothing.")
        }
    }

    private mutating func readMembers(within budget: inout ValueBudget) throws(DBusError) -> [DBusValue] {
        var inner = MessageReader(message, inside: &iterator)
        let members = try inner.readAll(within: &budget)
        skip()
        return members
    }

    private mutating func readVariantValue(within budget: inout ValueBudget) throws(DBusError) -> DBusValue {
        var inner = MessageReader(message, inside: &iterator)
        let value = try inner.readValue(within: &budget)
        skip()
        return value
    }

    private mutating func readArrayValue(within budget: inout ValueBudget) throws(DBusError) -> DBusValue {
        let element = Signature(unchecked: String(signature.rawValue.dropFirst()))
        guard dbus_message_iter_get_element_type(&iterator) == CDBUS_TYPE_DICT_ENTRY else {
            return .array(element: element, try readMembers(within: &budget))
        }
        let types = Signature(unchecked: String(element.rawValue.dropFirst().dropLast())).completeTypes
        var entries: [DBusValue.DictionaryEntry] = []
        var inner = MessageReader(message, inside: &iterator)
        while !inner.isAtEnd {
            var entry = MessageReader(message, inside: &inner.iterator)
            entries.append(
                .init(key: try entry.readValue(within: &budget), value: try entry.readValue(within: &budget)))
            inner.skip()
        }
        skip()
        return .dictionary(key: types[0], value: types[1], entries)
    }
}
