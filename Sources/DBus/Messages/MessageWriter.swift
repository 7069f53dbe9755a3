internal import Glibc

/// Writes the arguments of a message one after the other.
///
/// Text that D-Bus does not permit, a type that does not match the surrounding container, and a message or array that
/// grows too large throw; the message is then invalid and never sent.
public struct MessageWriter {
    private let body: MarshalledBody
    private var cursor: TypeCursor
    /// How much of the limits for the whole message has been used.
    private var used: Used
    /// The maximum size of the body at the end of the innermost array or of the message.
    private let limit: Int
    private let depth: Int
    private var spoiled: DBusError?

    private struct Used {
        /// The length of the message's signature, including the ends of open structures.
        var signature = 0
        /// The number of file descriptors in the message.
        var fileDescriptors = 0
    }

    private init(_ body: MarshalledBody, cursor: TypeCursor = .free, used: Used = Used(), limit: Int, depth: Int) {
        self.body = body
        self.cursor = cursor
        self.used = used
        self.limit = limit
        self.depth = depth
    }

    /// Creates a message with this header and the arguments that `write` writes.
    ///
    /// - Throws: The error of `write`, and an earlier error that `write` caught, because the message is invalid then.
    static func message(
        _ header: MessageHeader, _ write: (inout MessageWriter) throws -> Void
    ) throws -> Message {
        let body = MarshalledBody(roomForHeader: header.room)
        var writer = MessageWriter(body, limit: MessageLimits.body, depth: 0)
        try write(&writer)
        if let spoiled = writer.spoiled { throw spoiled }
        guard body.descriptors.isEmpty else { return try DescriptorTranscript.message(header, body) }
        return try header.message(with: body)
    }

    private mutating func fail(_ error: DBusError) -> DBusError {
        if spoiled == nil { spoiled = error }
        return error
    }

    /// Throws if `bytes` more, aligned to `alignment`, exceed a limit.
    @inline(__always)
    private mutating func reserve(alignment: Int, bytes: Int) throws(DBusError) {
        if let spoiled { throw spoiled }
        let aligned = (body.count + alignment - 1) & ~(alignment - 1)
        guard bytes <= limit - aligned else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would be larger than the protocol permits."))
        }
    }

    private mutating func expect(_ code: UInt8) throws(DBusError) {
        guard cursor.take(code) else { throw mismatch(String(UnicodeScalar(code))) }
        guard cursor.isFree else { return }
        try extendSignature(by: 1)
        body.declare(code)
    }

    /// Counts the types in the message's own signature: those outside of arrays and variants.
    private mutating func extendSignature(by length: Int) throws(DBusError) {
        used.signature += length
        guard used.signature <= MessageLimits.signature else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would have more arguments than permitted."))
        }
    }

    private mutating func mismatch(_ found: String) -> DBusError {
        fail(.invalidArgs("A value of type “\(found)” was written where \(cursor.expectation) is due."))
    }

    @inline(__always)
    private mutating func basic<T: BitwiseCopyable>(_ code: UInt8, _ value: T) throws(DBusError) {
        try expect(code)
        try put(value)
    }

    /// Writes a number whose type was written.
    @inline(__always)
    private mutating func put<T: BitwiseCopyable>(_ value: T) throws(DBusError) {
        try reserve(alignment: MemoryLayout<T>.size, bytes: MemoryLayout<T>.size)
        body.append(value)
    }

    private mutating func put(_ value: Bool) throws(DBusError) { try put(UInt32(value ? 1 : 0)) }

    /// Writes a `y`.
    public mutating func append(_ value: UInt8) throws(DBusError) { try basic(UInt8(ascii: "y"), value) }
    /// Writes a `b`.
    public mutating func append(_ value: Bool) throws(DBusError) {
        try expect(UInt8(ascii: "b"))
        try put(value)
    }
    /// Writes an `n`.
    public mutating func append(_ value: Int16) throws(DBusError) { try basic(UInt8(ascii: "n"), value) }
    /// Writes a `q`.
    public mutating func append(_ value: UInt16) throws(DBusError) { try basic(UInt8(ascii: "q"), value) }
    /// Writes an `i`.
    public mutating func append(_ value: Int32) throws(DBusError) { try basic(UInt8(ascii: "i"), value) }
    /// Writes a `u`.
    public mutating func append(_ value: UInt32) throws(DBusError) { try basic(UInt8(ascii: "u"), value) }
    /// Writes an `x`.
    public mutating func append(_ value: Int64) throws(DBusError) { try basic(UInt8(ascii: "x"), value) }
    /// Writes a `t`.
    public mutating func append(_ value: UInt64) throws(DBusError) { try basic(UInt8(ascii: "t"), value) }
    /// Writes a `d`.
    public mutating func append(_ value: Double) throws(DBusError) { try basic(UInt8(ascii: "d"), value) }
    /// Writes an `s`. Text that contains a NUL is refused.
    public mutating func append(_ value: String) throws(DBusError) { try text(UInt8(ascii: "s"), value) }
    /// Writes an `o`.
    public mutating func append(_ value: ObjectPath) throws(DBusError) { try text(UInt8(ascii: "o"), value.rawValue) }
    /// Writes a `g`.
    public mutating func append(_ value: Signature) throws(DBusError) {
        try expect(UInt8(ascii: "g"))
        try reserve(alignment: 1, bytes: value.rawValue.utf8.count + 2)
        body.append(signature: value.rawValue)
    }

    /// Writes an `h`. The descriptor is duplicated; the caller keeps its own.
    public mutating func append(fileDescriptor: Int32) throws(DBusError) {
        let duplicate = fcntl(fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else {
            throw fail(.invalidArgs("\(fileDescriptor) is not an open file descriptor."))
        }
        let owned = OwnedFileDescriptor(owning: duplicate)
        used.fileDescriptors += 1
        guard used.fileDescriptors <= MessageLimits.fileDescriptors else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would hold too many file descriptors."))
        }
        try expect(UInt8(ascii: "h"))
        try reserve(alignment: 4, bytes: 4)
        body.append(descriptor: owned)
    }

    /// Writes an `s` from bytes; they are refused if they are not UTF-8 or contain a NUL.
    public mutating func append(utf8 bytes: UnsafeBufferPointer<UInt8>) throws(DBusError) {
        guard isPermittedText(bytes) else { throw fail(.invalidArgs("Text for D-Bus must be UTF-8 without NUL.")) }
        try expect(UInt8(ascii: "s"))
        try reserve(alignment: 4, bytes: 4 + bytes.count + 1)
        body.append(text: bytes)
    }

    private mutating func text(_ code: UInt8, _ value: String) throws(DBusError) {
        try expect(code)
        try put(value)
    }

    /// Writes text whose type was written.
    private mutating func put(_ value: String) throws(DBusError) {
        var value = value
        try reserve(alignment: 4, bytes: 4 + value.utf8.count + 1)
        // A Swift string is always UTF-8; only a NUL in it is not permitted.
        let isPermitted = value.withUTF8 { bytes in
            guard let first = bytes.baseAddress else {
                body.append(text: bytes)
                return true
            }
            guard memchr(first, 0, bytes.count) == nil else { return false }
            body.append(text: bytes)
            return true
        }
        guard isPermitted else { throw fail(.invalidArgs("Text for D-Bus must not hold a NUL character.")) }
    }
}

// MARK: - Containers

extension MessageWriter {
    /// Calls `write` with a writer for a container whose types are those of `inner`.
    private mutating func container(
        _ inner: TypeCursor, limit: Int, mayBeEmpty: Bool = false, _ write: (inout MessageWriter) throws -> Void
    ) throws {
        guard depth < MessageLimits.depth else { throw tooDeep() }
        let before = body.count
        var writer = MessageWriter(body, cursor: inner, used: used, limit: limit, depth: depth + 1)
        do {
            try write(&writer)
            if let spoiled = writer.spoiled { throw spoiled }
            guard writer.cursor.isComplete, mayBeEmpty || body.count > before else {
                throw DBusError.invalidArgs("A container is incomplete; \(writer.cursor.expectation) is due.")
            }
        } catch {
            _ = fail(.from(error))
            throw error
        }
        used = writer.used
    }

    /// Writes a structure with the contents that `write` writes.
    public mutating func appendStruct(_ write: (inout MessageWriter) throws -> Void) throws {
        guard let inner = cursor.enter(UInt8(ascii: "(")) else { throw mismatch("(") }
        guard !inner.isFree || depth < MessageLimits.structureDepth else { throw tooDeep() }
        try reserve(alignment: 8, bytes: 0)
        body.align(to: 8)
        guard inner.isFree else { return try container(inner, limit: limit, write) }
        try extendSignature(by: 2)
        body.declare(UInt8(ascii: "("))
        try container(inner, limit: limit, write)
        body.declare(UInt8(ascii: ")"))
    }

    /// Writes a variant that contains the single value of type `type` that `write` writes.
    public mutating func appendVariant(
        of type: Signature, _ write: (inout MessageWriter) throws -> Void
    ) throws {
        guard type.isSingle else { throw fail(.invalidArgs("A variant holds exactly one value, not “\(type)”.")) }
        try expect(UInt8(ascii: "v"))
        try reserve(alignment: 1, bytes: type.rawValue.utf8.count + 2)
        body.append(signature: type.rawValue)
        try container(.exactly(type), limit: limit, write)
    }

    /// Writes an array; `write` writes any number of values of type `element`.
    public mutating func appendArray(
        of element: Signature, _ write: (inout MessageWriter) throws -> Void
    ) throws {
        guard element.isSingle else { throw fail(.invalidArgs("“\(element)” is not the type of an element.")) }
        try openArray(
            element.rawValue, .array(of: element),
            alignment: MarshalledBody.alignment(of: element.rawValue.utf8.first ?? 0), write)
    }

    /// Writes a dictionary; `write` writes its entries.
    public mutating func appendDictionary(
        key: Signature, value: Signature, _ write: (inout DictionaryWriter) throws -> Void
    ) throws {
        guard key.isBasic, value.isSingle else {
            throw fail(.invalidArgs("A dictionary cannot have keys “\(key)” and values “\(value)”."))
        }
        let entry = "{" + key.rawValue + value.rawValue + "}"
        try openArray(entry, .array(of: Signature(unchecked: entry)), alignment: 8) { writer in
            var dictionary = DictionaryWriter(writer: writer)
            defer { writer = dictionary.writer }
            try write(&dictionary)
        }
    }

    fileprivate mutating func appendEntry(_ write: (inout MessageWriter) throws -> Void) throws {
        guard let inner = cursor.enter(UInt8(ascii: "{")) else { throw mismatch("{") }
        try reserve(alignment: 8, bytes: 0)
        body.align(to: 8)
        try container(inner, limit: limit, write)
    }

    private mutating func openArray(
        _ element: String, _ inner: TypeCursor, alignment: Int, _ write: (inout MessageWriter) throws -> Void
    ) throws {
        if cursor.isFree {
            try extendSignature(by: 1 + element.utf8.count)
            try expectShallow(element)
            body.declare(UInt8(ascii: "a"))
            body.declare(element)
        } else {
            let type = Signature(unchecked: "a" + element)
            guard cursor.take(type) else { throw mismatch(type.rawValue) }
        }
        try reserve(alignment: 4, bytes: 4)
        let length = body.openArray()
        try reserve(alignment: alignment, bytes: 0)
        body.align(to: alignment)
        let first = body.position
        try container(inner, limit: min(limit, body.count + MessageLimits.array), mayBeEmpty: true, write)
        body.closeArray(at: length, first: first)
    }

    /// Together with the structures around it, an array outside of variants must not be nested too deeply.
    private mutating func expectShallow(_ element: String) throws(DBusError) {
        guard depth > 0 || element.utf8.count >= MessageLimits.structureDepth else { return }
        let surrounded =
            String(repeating: "(", count: depth) + "a" + element + String(repeating: ")", count: depth)
        guard Signature.isValid(surrounded) else { throw tooDeep() }
    }

    private mutating func tooDeep() -> DBusError {
        fail(DBusError(.limitsExceeded, "The D-Bus message is nested deeper than the protocol permits."))
    }
}

/// Writes the entries of a dictionary.
public struct DictionaryWriter {
    fileprivate var writer: MessageWriter

    /// Writes one entry; `write` writes the key and then the value.
    public mutating func entry(_ write: (inout MessageWriter) throws -> Void) throws {
        try writer.appendEntry(write)
    }
}

// MARK: - Arrays and maps

extension MessageWriter {
    /// Writes an `as`.
    public mutating func append(strings: [String]) throws(DBusError) {
        try append(stringCount: strings.count) { strings[$0] }
    }

    /// Writes an `as` of `count` strings, each requested by its position, without building an array first.
    ///
    /// - Parameters:
    ///   - count: The number of strings.
    ///   - repeats: Whether neighbours are often equal; writing them is then faster.
    ///   - string: Returns the string at a position.
    public mutating func append(
        stringCount count: Int, repeats: Bool = false, _ string: (Int) -> String
    ) throws(DBusError) {
        try typed { writer in
            try writer.appendArray(of: "s") { array in
                var last = ""
                var copies = 0
                for position in 0..<count {
                    let text = string(position)
                    if repeats, position > 0, text == last {
                        copies += 1
                        continue
                    }
                    try array.repeatText(of: last.utf8.count, times: copies)
                    copies = 0
                    try array.append(text)
                    last = text
                }
                try array.repeatText(of: last.utf8.count, times: copies)
            }
        }
    }

    /// Writes the string of `length` bytes that was just written the given number of times more.
    private mutating func repeatText(of length: Int, times: Int) throws(DBusError) {
        guard times > 0 else { return }
        try reserve(alignment: 1, bytes: times * MarshalledBody.stride(ofText: length))
        body.repeatText(of: length, times: times)
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
                array.body.append(raw: UnsafeRawBufferPointer(numbers))
            }
        }
    }

    /// Writes an `ay`.
    public mutating func append(bytes: [UInt8]) throws(DBusError) { try append(fixed: bytes) }

    /// Runs calls that throw only `DBusError` in closures with the general type.
    private mutating func typed(_ write: (inout MessageWriter) throws -> Void) throws(DBusError) {
        do { try write(&self) } catch { throw .from(error) }
    }
}

// MARK: - Values of any type

extension MessageWriter {
    /// Writes an `a{sv}` with its keys in ascending order.
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

    /// Writes a value of any type. An array is refused if its elements do not have its element type.
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
        // Most values are of these types, and need no writer of their own.
        switch value {
        case .bool(let value): return try variant("b") { writer throws(DBusError) in try writer.put(value) }
        case .uint32(let value): return try variant("u") { writer throws(DBusError) in try writer.put(value) }
        case .int64(let value): return try variant("x") { writer throws(DBusError) in try writer.put(value) }
        case .uint64(let value): return try variant("t") { writer throws(DBusError) in try writer.put(value) }
        case .string(let value): return try variant("s") { writer throws(DBusError) in try writer.put(value) }
        case .byte, .int16, .uint16, .int32, .double, .objectPath, .signature, .fileDescriptor, .array, .structure,
            .dictionary, .variant:
            break
        }
        let type = value.signature
        guard Signature.isValid(type.rawValue) else {
            throw fail(.invalidArgs("“\(type)” is not a valid D-Bus signature."))
        }
        try typed { writer in
            try writer.appendVariant(of: type) { try $0.append(value: value) }
        }
    }

    /// Writes a variant of a basic type, whose value `write` writes.
    @inline(__always)
    private mutating func variant(
        _ type: String, _ write: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try expect(UInt8(ascii: "v"))
        try reserve(alignment: 1, bytes: type.utf8.count + 2)
        guard depth < MessageLimits.depth else { throw tooDeep() }
        body.append(signature: type)
        try write(&self)
    }
}
