internal import CDBus
internal import Glibc

/// Writes the arguments of a message one after the other.
///
/// Text that D-Bus does not permit, a type that the surrounding container does not hold, and a message or array
/// that grows too large throw; the message is then spoiled and never sent.
public struct MessageWriter {
    private var iterator: DBusMessageIter
    private var cursor: TypeCursor
    /// What the message holds so far.
    private var extent: Extent
    /// Where the innermost array or the message must end.
    private let limit: Int
    private let depth: Int
    private var spoiled: DBusError?

    /// How much of what is limited for the whole message has been used.
    private struct Extent {
        /// Where the next byte of the body goes.
        var offset = 0
        /// How long the message's signature is.
        var signature = 0
        /// How many file descriptors go with it.
        var fileDescriptors = 0
    }

    /// A writer at the end of `message`, which must be empty.
    private init(_ message: Message) {
        iterator = DBusMessageIter()
        dbus_message_iter_init_append(message.pointer, &iterator)
        cursor = .free
        extent = Extent()
        limit = MessageLimits.body
        depth = 0
    }

    private init(iterator: DBusMessageIter, cursor: TypeCursor, extent: Extent, limit: Int, depth: Int) {
        self.iterator = iterator
        self.cursor = cursor
        self.extent = extent
        self.limit = limit
        self.depth = depth
    }

    /// Writes the arguments of `message`.
    ///
    /// - Throws: What `body` throws, and what it caught but spoiled the message.
    static func write(_ message: Message, _ body: (inout MessageWriter) throws -> Void) throws {
        var writer = MessageWriter(message)
        try body(&writer)
        if let spoiled = writer.spoiled { throw spoiled }
    }

    private mutating func fail(_ error: DBusError) -> DBusError {
        if spoiled == nil { spoiled = error }
        return error
    }

    private mutating func reserve(alignment: Int, bytes: Int) throws(DBusError) {
        if let spoiled { throw spoiled }
        let aligned = (extent.offset + alignment - 1) & ~(alignment - 1)
        guard bytes <= limit - aligned else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would be larger than the protocol permits."))
        }
        extent.offset = aligned + bytes
    }

    private mutating func expect(_ code: UInt8) throws(DBusError) {
        guard cursor.take(code) else { throw mismatch(String(UnicodeScalar(code))) }
        try extendSignature(by: 1)
    }

    /// Counts the types that make up the message's own signature: those outside of arrays and variants.
    private mutating func extendSignature(by length: Int) throws(DBusError) {
        guard cursor.isFree else { return }
        extent.signature += length
        guard extent.signature <= MessageLimits.signature else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would have more arguments than permitted."))
        }
    }

    private mutating func mismatch(_ found: String) -> DBusError {
        fail(.invalidArgs("A value of type “\(found)” was written where \(cursor.expectation) is due."))
    }

    private mutating func basic<T: BitwiseCopyable>(
        _ code: UInt8, _ size: Int, _ value: T
    ) throws(DBusError) {
        try expect(code)
        try reserve(alignment: size, bytes: size)
        var value = value
        guard dbus_message_iter_append_basic(&iterator, Int32(code), &value) != 0 else { throw fail(.outOfMemory) }
    }

    /// Writes a `y`.
    public mutating func append(_ value: UInt8) throws(DBusError) { try basic(UInt8(ascii: "y"), 1, value) }
    /// Writes a `b`.
    public mutating func append(_ value: Bool) throws(DBusError) {
        try basic(UInt8(ascii: "b"), 4, dbus_bool_t(value ? 1 : 0))
    }
    /// Writes an `n`.
    public mutating func append(_ value: Int16) throws(DBusError) { try basic(UInt8(ascii: "n"), 2, value) }
    /// Writes a `q`.
    public mutating func append(_ value: UInt16) throws(DBusError) { try basic(UInt8(ascii: "q"), 2, value) }
    /// Writes an `i`.
    public mutating func append(_ value: Int32) throws(DBusError) { try basic(UInt8(ascii: "i"), 4, value) }
    /// Writes a `u`.
    public mutating func append(_ value: UInt32) throws(DBusError) { try basic(UInt8(ascii: "u"), 4, value) }
    /// Writes an `x`.
    public mutating func append(_ value: Int64) throws(DBusError) { try basic(UInt8(ascii: "x"), 8, value) }
    /// Writes a `t`.
    public mutating func append(_ value: UInt64) throws(DBusError) { try basic(UInt8(ascii: "t"), 8, value) }
    /// Writes a `d`.
    public mutating func append(_ value: Double) throws(DBusError) { try basic(UInt8(ascii: "d"), 8, value) }
    /// Writes an `s`. Text that holds a NUL is refused.
    public mutating func append(_ value: String) throws(DBusError) { try text(UInt8(ascii: "s"), value) }
    /// Writes an `o`.
    public mutating func append(_ value: ObjectPath) throws(DBusError) { try text(UInt8(ascii: "o"), value.rawValue) }
    /// Writes a `g`.
    public mutating func append(_ value: Signature) throws(DBusError) { try text(UInt8(ascii: "g"), value.rawValue) }

    /// Writes an `h`. The descriptor is duplicated; the caller keeps its own.
    public mutating func append(fileDescriptor: Int32) throws(DBusError) {
        guard fcntl(fileDescriptor, F_GETFD) >= 0 else {
            throw fail(.invalidArgs("\(fileDescriptor) is not an open file descriptor."))
        }
        extent.fileDescriptors += 1
        guard extent.fileDescriptors <= MessageLimits.fileDescriptors else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would hold too many file descriptors."))
        }
        try basic(UInt8(ascii: "h"), 4, fileDescriptor)
    }

    /// Writes an `s` from bytes; what is not UTF-8 or holds a NUL is refused.
    public mutating func append(utf8 bytes: UnsafeBufferPointer<UInt8>) throws(DBusError) {
        guard isPermittedText(bytes) else { throw fail(.invalidArgs("Text for D-Bus must be UTF-8 without NUL.")) }
        try expect(UInt8(ascii: "s"))
        try reserve(alignment: 4, bytes: 4 + bytes.count + 1)
        let stored = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { copy in
            for index in 0..<bytes.count { copy[index] = CChar(bitPattern: bytes[index]) }
            copy[bytes.count] = 0
            return appendCString(UInt8(ascii: "s"), copy.baseAddress)
        }
        guard stored else { throw fail(.outOfMemory) }
    }

    private mutating func text(_ code: UInt8, _ value: String) throws(DBusError) {
        try expect(code)
        let length = value.utf8.count
        if code == UInt8(ascii: "g") {
            try reserve(alignment: 1, bytes: length + 2)
        } else {
            try reserve(alignment: 4, bytes: 4 + length + 1)
        }
        let (stored, holdsNul) = value.withCString { pointer in
            // A Swift string is UTF-8 by construction; only a NUL in it would cut it short.
            strlen(pointer) == length ? (appendCString(code, pointer), false) : (false, true)
        }
        guard !holdsNul else { throw fail(.invalidArgs("Text for D-Bus must not hold a NUL character.")) }
        guard stored else { throw fail(.outOfMemory) }
    }

    private mutating func appendCString(_ code: UInt8, _ pointer: UnsafePointer<CChar>?) -> Bool {
        var pointer = pointer
        return dbus_message_iter_append_basic(&iterator, Int32(code), &pointer) != 0
    }
}

// MARK: - Containers

extension MessageWriter {
    private mutating func container(
        _ code: Int32, _ contained: String?, _ inner: TypeCursor, limit: Int,
        _ body: (inout MessageWriter) throws -> Void
    ) throws {
        guard depth < MessageLimits.depth else {
            throw tooDeep()
        }
        var sub = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, code, contained, &sub) != 0 else {
            throw fail(.outOfMemory)
        }
        var writer = MessageWriter(iterator: sub, cursor: inner, extent: extent, limit: limit, depth: depth + 1)
        do {
            try body(&writer)
            if let spoiled = writer.spoiled { throw spoiled }
            guard writer.cursor.isComplete, code == CDBUS_TYPE_ARRAY || writer.extent.offset > extent.offset else {
                throw DBusError.invalidArgs("A container is incomplete; \(writer.cursor.expectation) is due.")
            }
        } catch {
            dbus_message_iter_abandon_container(&iterator, &writer.iterator)
            _ = fail(.from(error))
            throw error
        }
        extent = writer.extent
        guard dbus_message_iter_close_container(&iterator, &writer.iterator) != 0 else { throw fail(.outOfMemory) }
    }

    /// Writes a structure of what `body` writes.
    public mutating func appendStruct(_ body: (inout MessageWriter) throws -> Void) throws {
        guard let inner = cursor.enter(UInt8(ascii: "(")) else { throw mismatch("(") }
        try extendSignature(by: 2)
        guard !inner.isFree || depth < MessageLimits.structureDepth else { throw tooDeep() }
        try reserve(alignment: 8, bytes: 0)
        try container(CDBUS_TYPE_STRUCT, nil, inner, limit: limit, body)
    }

    /// Writes a variant that holds the one value of type `type` that `body` writes.
    public mutating func appendVariant(
        of type: Signature, _ body: (inout MessageWriter) throws -> Void
    ) throws {
        guard type.isSingle else { throw fail(.invalidArgs("A variant holds exactly one value, not “\(type)”.")) }
        try expect(UInt8(ascii: "v"))
        try reserve(alignment: 1, bytes: type.rawValue.utf8.count + 2)
        try container(CDBUS_TYPE_VARIANT, type.rawValue, .exactly(type), limit: limit, body)
    }

    /// Writes an array; `body` writes any number of values of type `element`.
    public mutating func appendArray(
        of element: Signature, _ body: (inout MessageWriter) throws -> Void
    ) throws {
        guard element.isSingle else { throw fail(.invalidArgs("“\(element)” is not the type of an element.")) }
        try openArray(element.rawValue, .array(of: element), alignment: alignment(of: element), body)
    }

    /// Writes a dictionary; `body` writes its entries.
    public mutating func appendDictionary(
        key: Signature, value: Signature, _ body: (inout DictionaryWriter) throws -> Void
    ) throws {
        guard key.isBasic, value.isSingle else {
            throw fail(.invalidArgs("A dictionary cannot have keys “\(key)” and values “\(value)”."))
        }
        let entry = "{" + key.rawValue + value.rawValue + "}"
        try openArray(entry, .array(of: Signature(unchecked: entry)), alignment: 8) { writer in
            var dictionary = DictionaryWriter(writer: writer)
            defer { writer = dictionary.writer }
            try body(&dictionary)
        }
    }

    fileprivate mutating func appendEntry(_ body: (inout MessageWriter) throws -> Void) throws {
        guard let inner = cursor.enter(UInt8(ascii: "{")) else { throw mismatch("{") }
        try reserve(alignment: 8, bytes: 0)
        try container(CDBUS_TYPE_DICT_ENTRY, nil, inner, limit: limit, body)
    }

    private mutating func openArray(
        _ element: String, _ inner: TypeCursor, alignment: Int, _ body: (inout MessageWriter) throws -> Void
    ) throws {
        if cursor.isFree {
            try extendSignature(by: 1 + element.utf8.count)
            try expectShallow(element)
        } else {
            let type = Signature(unchecked: "a" + element)
            guard cursor.take(type) else { throw mismatch(type.rawValue) }
        }
        try reserve(alignment: 4, bytes: 4)
        try reserve(alignment: alignment, bytes: 0)
        try container(CDBUS_TYPE_ARRAY, element, inner, limit: min(limit, extent.offset + MessageLimits.array), body)
    }

    /// Together with the structures around it, an array outside of variants must not be nested too deep.
    private mutating func expectShallow(_ element: String) throws(DBusError) {
        guard depth > 0 || element.utf8.count >= MessageLimits.structureDepth else { return }
        let surrounded =
            String(repeating: "(", count: depth) + "a" + element + String(repeating: ")", count: depth)
        guard Signature.isValid(surrounded) else { throw tooDeep() }
    }

    private mutating func tooDeep() -> DBusError {
        fail(DBusError(.limitsExceeded, "The D-Bus message is nested deeper than the protocol permits."))
    }

    private func alignment(of type: Signature) -> Int {
        switch type.rawValue.utf8.first {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }
}

/// Writes the entries of a dictionary.
public struct DictionaryWriter {
    fileprivate var writer: MessageWriter

    /// Writes one entry; `body` writes the key and then the value.
    public mutating func entry(_ body: (inout MessageWriter) throws -> Void) throws {
        try writer.appendEntry(body)
    }
}

// MARK: - Arrays and maps

extension MessageWriter {
    /// Writes an `as`.
    public mutating func append(strings: [String]) throws(DBusError) {
        try append(stringCount: strings.count) { strings[$0] }
    }

    /// Writes an `as` of `count` strings, each asked for by its position, without building an array first.
    public mutating func append(stringCount count: Int, _ string: (Int) -> String) throws(DBusError) {
        try typed { writer in
            try writer.appendArray(of: "s") { array in
                for position in 0..<count { try array.append(string(position)) }
            }
        }
    }

    /// Writes an array of numbers in one copy.
    public mutating func append<T: FixedType>(fixed numbers: [T]) throws(DBusError) {
        try typed { writer in
            try numbers.withUnsafeBufferPointer { try writer.append(fixed: $0) }
        }
    }

    /// Writes an array of numbers in one copy.
    public mutating func append<T: FixedType>(fixed numbers: UnsafeBufferPointer<T>) throws(DBusError) {
        let size = numbers.count.multipliedReportingOverflow(by: MemoryLayout<T>.size)
        guard !size.overflow, size.partialValue <= MessageLimits.array else {
            throw fail(DBusError(.limitsExceeded, "An array would be larger than the 64 MiB that D-Bus permits."))
        }
        try typed { writer in
            try writer.appendArray(of: T.dbusSignature) { array in
                try array.reserve(alignment: 1, bytes: size.partialValue)
                guard numbers.count > 0 else { return }
                var first = numbers.baseAddress
                let stored = dbus_message_iter_append_fixed_array(
                    &array.iterator, Int32(T.typeCode), &first, Int32(numbers.count))
                guard stored != 0 else { throw array.fail(.outOfMemory) }
            }
        }
    }

    /// Writes an `ay`.
    public mutating func append(bytes: [UInt8]) throws(DBusError) { try append(fixed: bytes) }

    /// Runs calls of this type, which throw nothing but `DBusError`, under the general closure types.
    private mutating func typed(_ body: (inout MessageWriter) throws -> Void) throws(DBusError) {
        do { try body(&self) } catch { throw .from(error) }
    }
}

// MARK: - Values of any type

extension MessageWriter {
    /// Writes an `a{sv}`, its keys in ascending order.
    public mutating func append(map: VariantMap) throws(DBusError) {
        try typed { writer in
            try writer.appendDictionary(key: "s", value: "v") { dictionary in
                for (key, value) in map.sorted(by: { $0.key < $1.key }) {
                    try dictionary.entry { entry in
                        try entry.append(key)
                        try entry.append(value: .variant(value))
                    }
                }
            }
        }
    }

    /// Writes a value of whatever type. An array whose elements are not of its element type is refused.
    public mutating func append(value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let value): try append(value)
        case .bool(let value): try append(value)
        case .int16(let value): try append(value)
        case .uint16(let value): try append(value)
        case .int32(let value): try append(value)
        case .uint32(let value): try append(value)
        case .int64(let value): try append(value)
        case .uint64(let value): try append(value)
        case .double(let value): try append(value)
        case .string(let value): try append(value)
        case .objectPath(let value): try append(value)
        case .signature(let value): try append(value)
        case .fileDescriptor(let descriptor): try append(fileDescriptor: descriptor.number)
        case .array(let element, let values): try append(array: values, of: element)
        case .structure(let members):
            try typed { writer in
                try writer.appendStruct { structure in
                    for member in members { try structure.append(value: member) }
                }
            }
        case .dictionary(let key, let value, let entries): try append(dictionary: entries, key: key, value: value)
        case .variant(let value): try append(variant: value)
        }
    }

    private mutating func append(array values: [DBusValue], of element: Signature) throws(DBusError) {
        try typed { writer in
            try writer.appendArray(of: element) { array in
                for value in values { try array.append(value: value) }
            }
        }
    }

    private mutating func append(
        dictionary entries: [DBusValue.DictionaryEntry], key: Signature, value: Signature
    ) throws(DBusError) {
        try typed { writer in
            try writer.appendDictionary(key: key, value: value) { dictionary in
                for entry in entries {
                    try dictionary.entry { writer in
                        try writer.append(value: entry.key)
                        try writer.append(value: entry.value)
                    }
                }
            }
        }
    }

    private mutating func append(variant value: DBusValue) throws(DBusError) {
        let type = value.signature
        guard Signature.isValid(type.rawValue) else {
            throw fail(.invalidArgs("“\(type)” is not a valid D-Bus signature."))
        }
        try typed { writer in
            try writer.appendVariant(of: type) { try $0.append(value: value) }
        }
    }
}
