internal import CDBus

/// A D-Bus message: a counted reference to libdbus' own. It must stay on the thread of its connection.
public final class Message {
    let pointer: OpaquePointer

    /// Takes ownership of the caller's reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { dbus_message_unref(pointer) }

    /// The type of a message.
    public enum Kind: Sendable {
        /// A method call.
        case methodCall
        /// A reply to a call.
        case methodReturn
        /// An error reply to a call.
        case error
        /// A signal.
        case signal
        /// A type of a later protocol version, which has to be ignored.
        case unknown
    }

    /// The type of the message.
    public var kind: Kind {
        switch dbus_message_get_type(pointer) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
        case DBUS_MESSAGE_TYPE_ERROR: .error
        case DBUS_MESSAGE_TYPE_SIGNAL: .signal
        default: .unknown
        }
    }

    /// The unique name of the sender; nil only on a connection without a bus.
    public var sender: String? { text(dbus_message_get_sender(pointer)) }
    /// The receiver; nil for a broadcast signal.
    public var destination: String? { text(dbus_message_get_destination(pointer)) }
    /// The object of a call or a signal.
    public var path: ObjectPath? { text(dbus_message_get_path(pointer)).map { ObjectPath(unchecked: $0) } }
    /// The interface; optional in a call.
    public var interface: String? { text(dbus_message_get_interface(pointer)) }
    /// The method or signal.
    public var member: String? { text(dbus_message_get_member(pointer)) }
    /// The name of an error.
    public var errorName: String? { text(dbus_message_get_error_name(pointer)) }
    /// The types of the arguments.
    public var signature: Signature { Signature(unchecked: text(dbus_message_get_signature(pointer)) ?? "") }
    /// The number of the message on its sender's connection.
    public var serial: UInt32 { dbus_message_get_serial(pointer) }
    /// The number of the call that this answers, or 0.
    var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }
    /// Whether the sender wants no reply.
    public var expectsNoReply: Bool { dbus_message_get_no_reply(pointer) != 0 }

    /// Creates a reader at the first argument.
    public var reader: MessageReader { MessageReader(self) }

    /// All arguments.
    public func arguments() throws(DBusError) -> [DBusValue] {
        var reader = MessageReader(self)
        return try reader.readAll()
    }

    /// The error in a message of type `error`.
    var error: DBusError {
        var reader = MessageReader(self)
        let name = errorName ?? StandardError.failed.rawValue
        let sentence = reader.signature.rawValue.utf8.first == UInt8(ascii: "s") ? try? reader.readString() : nil
        return DBusError(name: name, message: sentence ?? "The call was refused without a reason.")
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}
