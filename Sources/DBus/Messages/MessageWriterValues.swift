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
        default: try typed { try $0.appendContainer(value) }
        }
    }

    private mutating func appendContainer(_ value: DBusValue) throws {
        switch value {
        case .array(let element, let values):
            try appendArray(of: element) { array in
                for value in values { try array.append(value: value) }
            }
        case .structure(let members):
            try appendStruct { structure in
                for member in members { try structure.append(value: member) }
            }
        case .dictionary(let key, let value, let entries):
            try appendDictionary(key: key, value: value) { dictionary in
                for entry in entries {
                    try dictionary.entry { writer in
                        try writer.append(value: entry.key)
                        try writer.append(value: entry.value)
                    }
                }
            }
        case .variant(let value):
            let type = value.signature
            guard Signature.isValid(type.rawValue) else {
                throw fail(.invalidArgs("“\(type)” is not a valid D-Bus signature."))
            }
            try appendVariant(of: type) { try $0.append(value: value) }
        default: try append(value: value)
        }
    }
}
