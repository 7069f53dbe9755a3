internal import CDBus

extension MessageReader {
    /// Reads everything that is left.
    public mutating func readAll() throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        while !isAtEnd { values.append(try readValue()) }
        return values
    }

    /// Reads one value of whatever type.
    public mutating func readValue() throws(DBusError) -> DBusValue {
        switch code {
        case CDBUS_TYPE_BYTE: .byte(try readByte())
        case CDBUS_TYPE_BOOLEAN: .bool(try readBool())
        case CDBUS_TYPE_INT16: .int16(try readInt16())
        case CDBUS_TYPE_UINT16: .uint16(try readUInt16())
        case CDBUS_TYPE_INT32: .int32(try readInt32())
        case CDBUS_TYPE_UINT32: .uint32(try readUInt32())
        case CDBUS_TYPE_INT64: .int64(try readInt64())
        case CDBUS_TYPE_UINT64: .uint64(try readUInt64())
        case CDBUS_TYPE_DOUBLE: .double(try readDouble())
        case CDBUS_TYPE_STRING: .string(try readString())
        case CDBUS_TYPE_OBJECT_PATH: .objectPath(try readObjectPath())
        case CDBUS_TYPE_SIGNATURE: .signature(try readSignature())
        case CDBUS_TYPE_UNIX_FD: .fileDescriptor(OwnedFileDescriptor(owning: try readFileDescriptor()))
        case CDBUS_TYPE_ARRAY: try readArrayValue()
        case CDBUS_TYPE_STRUCT: .structure(try readMembers())
        case CDBUS_TYPE_VARIANT: .variant(try readVariantValue())
        default: throw .invalidArgs("Expected a value, found nothing.")
        }
    }

    private mutating func readMembers() throws(DBusError) -> [DBusValue] {
        var inner = MessageReader(message, inside: &iterator)
        let members = try inner.readAll()
        skip()
        return members
    }

    private mutating func readVariantValue() throws(DBusError) -> DBusValue {
        var inner = MessageReader(message, inside: &iterator)
        let value = try inner.readValue()
        skip()
        return value
    }

    private mutating func readArrayValue() throws(DBusError) -> DBusValue {
        let element = Signature(unchecked: String(signature.rawValue.dropFirst()))
        guard dbus_message_iter_get_element_type(&iterator) == CDBUS_TYPE_DICT_ENTRY else {
            return .array(element: element, try readMembers())
        }
        let types = Signature(unchecked: String(element.rawValue.dropFirst().dropLast())).completeTypes
        var entries: [DBusValue.DictionaryEntry] = []
        var inner = MessageReader(message, inside: &iterator)
        while !inner.isAtEnd {
            var entry = MessageReader(message, inside: &inner.iterator)
            entries.append(.init(key: try entry.readValue(), value: try entry.readValue()))
            inner.skip()
        }
        skip()
        return .dictionary(key: types[0], value: types[1], entries)
    }
}
