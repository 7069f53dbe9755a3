internal import CDBus
internal import Glibc

/// The header of a message: its type, sender and destination.
struct MessageHeader {
    /// The type of the message, with the fields that this type requires.
    private enum Purpose {
        case call(ObjectPath, interface: String?, member: String)
        case signal(ObjectPath, interface: String, member: String)
        case reply(to: Message)
        case error(name: String, to: Message)
    }

    private let purpose: Purpose
    /// A bus name; a reply goes to the sender of its call.
    private let destination: String?
    private let expectsNoReply: Bool

    private init(_ purpose: Purpose, destination: String? = nil, expectsNoReply: Bool = true) {
        self.purpose = purpose
        self.destination = destination
        self.expectsNoReply = expectsNoReply
    }

    /// A method call.
    ///
    /// - Throws: `InvalidArgs` if a name does not follow the specification.
    static func call(
        _ destination: String?, _ path: ObjectPath, _ interface: String?, _ member: String, expectsNoReply: Bool = false
    ) throws(DBusError) -> MessageHeader {
        if let destination { try requireBusName(destination) }
        if let interface { try requireInterface(interface) }
        try requireMember(member)
        return MessageHeader(
            .call(path, interface: interface, member: member), destination: destination, expectsNoReply: expectsNoReply)
    }

    /// A signal to all subscribers, or only to the connection `destination`.
    ///
    /// - Throws: `InvalidArgs` if a name does not follow the specification.
    static func signal(
        _ path: ObjectPath, _ interface: String, _ member: String, to destination: String?
    ) throws(DBusError) -> MessageHeader {
        try requireInterface(interface)
        try requireMember(member)
        if let destination { try requireBusName(destination) }
        return MessageHeader(.signal(path, interface: interface, member: member), destination: destination)
    }

    /// The reply to a call.
    static func reply(to call: Message) -> MessageHeader { MessageHeader(.reply(to: call)) }

    /// The error reply to a call. A name that D-Bus does not permit is replaced.
    static func refusal(of call: Message, named name: String) -> MessageHeader {
        MessageHeader(.error(name: NameRules.isErrorName(name) ? name : StandardError.failed.rawValue, to: call))
    }

    private static func requireBusName(_ name: String) throws(DBusError) {
        guard NameRules.isBusName(name) else { throw .invalidArgs("“\(name)” is not a valid bus name.") }
    }

    private static func requireInterface(_ name: String) throws(DBusError) {
        guard NameRules.isInterface(name) else { throw .invalidArgs("“\(name)” is not a valid interface name.") }
    }

    private static func requireMember(_ name: String) throws(DBusError) {
        guard NameRules.isMember(name) else { throw .invalidArgs("“\(name)” is not a valid member name.") }
    }
}

// MARK: - The wire

extension MessageHeader {
    /// The maximum size of the header in bytes, with any signature of its message.
    var room: Int {
        var room = Self.fixedPart + MessageLimits.signature + Self.roomAroundFields
        forEachText { _, _, text in room += text.count }
        return room
    }

    /// The size of the fixed part of each message, including the length of the array of fields.
    private static let fixedPart = 16
    /// Type, length, NUL and alignment of up to six text fields, the serial of the call, and the alignment at the end.
    private static let roomAroundFields = 6 * 24 + 16 + 8

    /// Creates the message with `body` as its arguments, which must have been created with this header's `room`.
    func message(with body: MarshalledBody) throws(DBusError) -> Message {
        if case .reply(let call) = purpose, body.signature.isEmpty {
            // A faster way for the most frequent message.
            guard let pointer = dbus_message_new_method_return(call.pointer) else { throw .outOfMemory }
            return Message(owning: pointer)
        }
        let fields = MarshalledBody(roomForHeader: 0)
        writeFields(to: fields, signature: body.signature)
        let written = Self.fixedPart + fields.count
        let size = (written + 7) & ~7
        let whole = body.message(headerOf: size) { header in
            header[0] = 1.littleEndian == 1 ? UInt8(ascii: "l") : UInt8(ascii: "B")
            header[1] = UInt8(type)
            header[2] = expectsNoReply ? UInt8(DBUS_HEADER_FLAG_NO_REPLY_EXPECTED) : 0
            header[3] = UInt8(DBUS_MAJOR_PROTOCOL_VERSION)
            header.storeBytes(of: UInt32(body.count), toByteOffset: 4, as: UInt32.self)
            header.storeBytes(of: Self.placeholderSerial, toByteOffset: 8, as: UInt32.self)
            header.storeBytes(of: UInt32(fields.count), toByteOffset: 12, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: header[Self.fixedPart..<written]).copyMemory(from: fields.bytes)
            for index in written..<size { header[index] = 0 }
        }
        return try Self.demarshal(whole)
    }

    /// A message in memory has a serial number; the connection assigns the final one when it is sent.
    private static let placeholderSerial: UInt32 = 1

    /// Creates a message from its bytes, if they are valid.
    static func demarshal(_ bytes: UnsafeRawBufferPointer) throws(DBusError) -> Message {
        var failure = CError()
        let characters = bytes.assumingMemoryBound(to: CChar.self).baseAddress
        guard let pointer = dbus_message_demarshal(characters, Int32(bytes.count), &failure.value) else {
            throw failure.taken()
        }
        dbus_message_set_serial(pointer, 0)
        return Message(owning: pointer)
    }

    private var type: Int32 {
        switch purpose {
        case .call: DBUS_MESSAGE_TYPE_METHOD_CALL
        case .signal: DBUS_MESSAGE_TYPE_SIGNAL
        case .reply: DBUS_MESSAGE_TYPE_METHOD_RETURN
        case .error: DBUS_MESSAGE_TYPE_ERROR
        }
    }

    private func writeFields(to fields: MarshalledBody, signature: [UInt8]) {
        forEachText { field, type, text in
            Self.open(field, type, fields)
            fields.append(text: text)
        }
        switch purpose {
        case .reply(let call), .error(_, let call):
            Self.open(DBUS_HEADER_FIELD_REPLY_SERIAL, UInt8(ascii: "u"), fields)
            fields.append(call.serial)
        case .call, .signal: break
        }
        guard !signature.isEmpty else { return }
        Self.open(DBUS_HEADER_FIELD_SIGNATURE, UInt8(ascii: "g"), fields)
        fields.append(UInt8(signature.count))
        signature.withUnsafeBytes { fields.append(raw: $0) }
        fields.append(UInt8(0))
    }

    /// A field is a structure that contains its number and a variant.
    private static func open(_ field: Int32, _ type: UInt8, _ fields: MarshalledBody) {
        fields.align(to: 8)
        fields.append(UInt8(field))
        fields.append(UInt8(1))
        fields.append(type)
        fields.append(UInt8(0))
    }

    /// Calls `body` for each text field, with its type.
    private func forEachText(_ body: (_ field: Int32, _ type: UInt8, _ text: UnsafeBufferPointer<UInt8>) -> Void) {
        func string(_ field: Int32, _ text: String) {
            var text = text
            text.withUTF8 { body(field, UInt8(ascii: "s"), $0) }
        }
        func object(_ path: ObjectPath) {
            var text = path.rawValue
            text.withUTF8 { body(DBUS_HEADER_FIELD_PATH, UInt8(ascii: "o"), $0) }
        }
        func caller(_ call: Message) {
            // A call on a connection without a bus has no sender.
            guard let sender = dbus_message_get_sender(call.pointer) else { return }
            let bytes = UnsafeRawBufferPointer(start: sender, count: strlen(sender))
            body(DBUS_HEADER_FIELD_DESTINATION, UInt8(ascii: "s"), bytes.assumingMemoryBound(to: UInt8.self))
        }
        switch purpose {
        case .call(let path, let interface, let member):
            object(path)
            if let interface { string(DBUS_HEADER_FIELD_INTERFACE, interface) }
            string(DBUS_HEADER_FIELD_MEMBER, member)
        case .signal(let path, let interface, let member):
            object(path)
            string(DBUS_HEADER_FIELD_INTERFACE, interface)
            string(DBUS_HEADER_FIELD_MEMBER, member)
        case .reply(let call): caller(call)
        case .error(let name, let call):
            string(DBUS_HEADER_FIELD_ERROR_NAME, name)
            caller(call)
        }
        if let destination { string(DBUS_HEADER_FIELD_DESTINATION, destination) }
    }
}
