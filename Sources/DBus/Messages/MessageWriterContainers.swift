internal import CDBus

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
