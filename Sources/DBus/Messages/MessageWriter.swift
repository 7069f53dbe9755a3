internal import CDBus
internal import Glibc

/// Writes the arguments of a message one after the other.
///
/// Text that D-Bus does not permit, a type that the surrounding container does not hold, and a message or array
/// that grows too large throw; the message is then spoiled and never sent.
public struct MessageWriter {
    var iterator: DBusMessageIter
    var cursor: TypeCursor
    /// What the message holds so far.
    var extent: Extent
    /// Where the innermost array or the message must end.
    let limit: Int
    let depth: Int
    private(set) var spoiled: DBusError?

    /// How much of what is limited for the whole message has been used.
    struct Extent {
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

    init(iterator: DBusMessageIter, cursor: TypeCursor, extent: Extent, limit: Int, depth: Int) {
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

    mutating func fail(_ error: DBusError) -> DBusError {
        if spoiled == nil { spoiled = error }
        return error
    }

    mutating func reserve(alignment: Int, bytes: Int) throws(DBusError) {
        if let spoiled { throw spoiled }
        let aligned = (extent.offset + alignment - 1) & ~(alignment - 1)
        guard bytes <= limit - aligned else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would be larger than the protocol permits."))
        }
        extent.offset = aligned + bytes
    }

    mutating func expect(_ code: UInt8) throws(DBusError) {
        guard cursor.take(code) else { throw mismatch(String(UnicodeScalar(code))) }
        try extendSignature(by: 1)
    }

    /// Counts the types that make up the message's own signature: those outside of arrays and variants.
    mutating func extendSignature(by length: Int) throws(DBusError) {
        guard cursor.isFree else { return }
        extent.signature += length
        guard extent.signature <= MessageLimits.signature else {
            throw fail(DBusError(.limitsExceeded, "The D-Bus message would have more arguments than permitted."))
        }
    }

    mutating func mismatch(_ found: String) -> DBusError {
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
