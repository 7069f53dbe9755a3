internal import CDBus

/// Copies a body with file descriptors through libdbus' own iterators, because a message created from bytes cannot
/// contain any.
struct DescriptorTranscript {
    private let bytes: UnsafeRawBufferPointer
    private let descriptors: [OwnedFileDescriptor]
    private var offset = 0

    /// Creates a message with this header and the arguments and descriptors of `body`.
    static func message(_ header: MessageHeader, _ body: MarshalledBody) throws(DBusError) -> Message {
        let message = try header.message(with: MarshalledBody(roomForHeader: header.room))
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message.pointer, &iterator)
        var transcript = DescriptorTranscript(bytes: body.bytes, descriptors: body.descriptors)
        try transcript.copyAll(of: body.signature[...], to: &iterator)
        withExtendedLifetime(body) {}
        return message
    }

    private init(bytes: UnsafeRawBufferPointer, descriptors: [OwnedFileDescriptor]) {
        self.bytes = bytes
        self.descriptors = descriptors
    }

    /// Copies one value of each of `types`.
    private mutating func copyAll(
        of types: ArraySlice<UInt8>, to iterator: inout DBusMessageIter
    ) throws(DBusError) {
        var rest = types
        while !rest.isEmpty {
            let length = Self.length(ofFirst: rest)
            try copy(rest.prefix(length), to: &iterator)
            rest = rest.dropFirst(length)
        }
    }

    /// Copies a value of the complete type `type`.
    private mutating func copy(_ type: ArraySlice<UInt8>, to iterator: inout DBusMessageIter) throws(DBusError) {
        guard let code = type.first else { return }
        switch code {
        case UInt8(ascii: "h"):
            try append(code, descriptors[Int(number(UInt32.self))].number, to: &iterator)
        case UInt8(ascii: "y"): try append(code, number(UInt8.self), to: &iterator)
        case UInt8(ascii: "n"), UInt8(ascii: "q"): try append(code, number(UInt16.self), to: &iterator)
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"):
            try append(code, number(UInt32.self), to: &iterator)
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"):
            try append(code, number(UInt64.self), to: &iterator)
        case UInt8(ascii: "s"), UInt8(ascii: "o"): try append(code, text(number(UInt32.self)), to: &iterator)
        case UInt8(ascii: "g"): try append(code, text(number(UInt8.self)), to: &iterator)
        case UInt8(ascii: "v"): try copyVariant(to: &iterator)
        case UInt8(ascii: "a"): try copyArray(of: type.dropFirst(), to: &iterator)
        default: try copyMembers(of: type, code == UInt8(ascii: "{"), to: &iterator)
        }
    }

    private mutating func copyVariant(to iterator: inout DBusMessageIter) throws(DBusError) {
        let length = number(UInt8.self)
        let start = offset
        let signature = text(length)
        let type = Array(bytes[start..<start + Int(length)])
        try within(CDBUS_TYPE_VARIANT, signature, of: &iterator) { (transcript, inner) throws(DBusError) in
            try transcript.copyAll(of: type[...], to: &inner)
        }
    }

    private mutating func copyArray(
        of element: ArraySlice<UInt8>, to iterator: inout DBusMessageIter
    ) throws(DBusError) {
        let length = Int(number(UInt32.self))
        align(to: MarshalledBody.alignment(of: element.first ?? 0))
        let end = offset + length
        let signature = element.map { CChar(bitPattern: $0) } + [0]
        try within(CDBUS_TYPE_ARRAY, signature, of: &iterator) { (transcript, inner) throws(DBusError) in
            while transcript.offset < end { try transcript.copy(element, to: &inner) }
        }
    }

    private mutating func copyMembers(
        of type: ArraySlice<UInt8>, _ isEntry: Bool, to iterator: inout DBusMessageIter
    ) throws(DBusError) {
        align(to: 8)
        let container = isEntry ? CDBUS_TYPE_DICT_ENTRY : CDBUS_TYPE_STRUCT
        try within(container, nil, of: &iterator) { (transcript, inner) throws(DBusError) in
            try transcript.copyAll(of: type.dropFirst().dropLast(), to: &inner)
        }
    }

    private mutating func within(
        _ container: Int32, _ contained: UnsafePointer<CChar>?, of iterator: inout DBusMessageIter,
        _ copy: (inout DescriptorTranscript, inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, container, contained, &inner) != 0 else {
            throw .outOfMemory
        }
        do {
            try copy(&self, &inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .outOfMemory }
    }

    private func append<T: BitwiseCopyable>(
        _ code: UInt8, _ value: T, to iterator: inout DBusMessageIter
    ) throws(DBusError) {
        var value = value
        guard dbus_message_iter_append_basic(&iterator, Int32(code), &value) != 0 else { throw .outOfMemory }
    }

    // MARK: Reading the marshalled bytes

    private mutating func align(to alignment: Int) { offset = (offset + alignment - 1) & ~(alignment - 1) }

    private mutating func number<T: BitwiseCopyable & FixedWidthInteger>(_: T.Type) -> T {
        align(to: MemoryLayout<T>.size)
        defer { offset += MemoryLayout<T>.size }
        return bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// The next text, which has `length` bytes and ends with a NUL.
    private mutating func text(_ length: some FixedWidthInteger) -> UnsafePointer<CChar>? {
        defer { offset += Int(length) + 1 }
        return bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
    }

    /// The number of letters in the first complete type of `types`.
    private static func length(ofFirst types: ArraySlice<UInt8>) -> Int {
        var depth = 0
        for (index, code) in types.enumerated() {
            switch code {
            case UInt8(ascii: "a"): continue
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth == 0 { return index + 1 }
        }
        return types.count
    }
}
