public import DBus

extension MessageReader {
    /// Reads a `file://` URI.
    /// - Throws: `InvalidUri` with the reason, or `InvalidArgs` if there is no string.
    public mutating func readItemURI() throws -> ItemURI {
        try withString { bytes in
            do throws(ItemURIError) {
                return try ItemURI(validating: bytes)
            } catch {
                throw DBusError(RoundelError(invalidURI: String(decoding: bytes, as: UTF8.self), error))
            }
        }
    }

    /// Reads an optional `file://` URI; "" means that there is none.
    /// - Throws: The same errors as ``readItemURI()``.
    public mutating func readOptionalItemURI() throws -> ItemURI? {
        try withString { bytes in
            guard !bytes.isEmpty else { return nil }
            do throws(ItemURIError) {
                return try ItemURI(validating: bytes)
            } catch {
                throw DBusError(RoundelError(invalidURI: String(decoding: bytes, as: UTF8.self), error))
            }
        }
    }

    /// Reads an array of `file://` URIs.
    /// - Throws: `InvalidUri`, or `LimitExceeded` for more than ``Limits/namesPerCall``.
    public mutating func readItemURIs() throws -> [ItemURI] {
        var uris: [ItemURI] = []
        try forEachString { bytes in
            guard uris.count < Limits.namesPerCall else { throw Self.tooMany("URIs") }
            do throws(ItemURIError) {
                uris.append(try ItemURI(validating: bytes))
            } catch {
                throw DBusError(RoundelError(invalidURI: String(decoding: bytes, as: UTF8.self), error))
            }
        }
        return uris
    }

    /// Reads an optional name; "" means that there is none.
    /// - Throws: `InvalidName`.
    public mutating func readOptionalItemName() throws -> ItemName? {
        try withString { bytes in bytes.isEmpty ? nil : try Self.name(bytes) }
    }

    /// Reads a column of names; one invalid name makes the whole column fail.
    /// - Parameter known: Names that a long column may contain in this order, with others between them. They are reused
    ///   without checking them again.
    /// - Throws: `InvalidName`, or `LimitExceeded` for more than ``Limits/namesPerCall``.
    public mutating func readItemNames(knowing known: () -> [ItemName] = { [] }) throws -> [ItemName] {
        var names: [ItemName] = []
        var expected: ArraySlice<ItemName> = []
        try forEachString { bytes in
            guard names.count < Limits.namesPerCall else { throw Self.tooMany("names") }
            if names.count == Self.shortColumn { expected = known().dropFirst(Self.shortColumn) }
            if let name = expected.first, name.isEncoded(as: bytes) {
                names.append(name)
                expected.removeFirst()
            } else {
                names.append(try Self.name(bytes))
            }
        }
        return names
    }

    /// This many names are read before `known` is called.
    private static var shortColumn: Int { 16 }

    /// Reads the columns badges, flags and progress.
    /// - Throws: `InvalidArgs` for other types, `LimitExceeded` for more than ``Limits/namesPerCall`` rows. The caller
    ///   has to check that the columns have equal length.
    public mutating func readValueColumns() throws -> BadgeColumns {
        var columns = BadgeColumns()
        // Most neighbouring items have the same badge, so the last string can often be reused.
        var last = Badge.none
        try forEachString { bytes in
            guard columns.badges.count < Limits.namesPerCall else { throw Self.tooMany("badges") }
            if !last.identifier.utf8.elementsEqual(bytes) { last = Badge(String(decoding: bytes, as: UTF8.self)) }
            columns.badges.append(last)
        }
        columns.flags = try readUInt32Array()
        columns.progress = try readBytes()
        return columns
    }

    /// Reads the columns names, badges, flags and progress.
    /// - Throws: The same errors as ``readItemNames()`` and ``readValueColumns()``.
    public mutating func readColumns() throws -> BadgeColumns {
        let names = try readItemNames()
        var columns = try readValueColumns()
        columns.names = names
        return columns
    }

    private static func name(_ bytes: UnsafeBufferPointer<UInt8>) throws(DBusError) -> ItemName {
        do throws(ItemURIError) {
            return try ItemName(validating: bytes)
        } catch {
            throw DBusError(RoundelError(invalidName: String(decoding: bytes, as: UTF8.self), error))
        }
    }

    private static func tooMany(_ what: String) -> DBusError {
        DBusError(
            RoundelError(
                .limitExceeded, "More than \(Limits.namesPerCall) \(what) in one message; send them in several."))
    }
}

extension MessageWriter {
    /// Writes a URI.
    public mutating func append(_ uri: ItemURI) throws(DBusError) {
        try append(uri.uri)
    }

    /// Writes an array of URIs.
    public mutating func append(uris: [ItemURI]) throws(DBusError) {
        try append(stringCount: uris.count) { uris[$0].uri }
    }

    /// Writes a column of names.
    public mutating func append(names: [ItemName]) throws(DBusError) {
        try append(stringCount: names.count) { names[$0].encoded }
    }

    /// Writes the columns badges, flags and progress.
    public mutating func append(values columns: BadgeColumns) throws(DBusError) {
        let badges = columns.badges
        try append(stringCount: badges.count, repeats: true) { badges[$0].identifier }
        try append(fixed: columns.flags)
        try append(bytes: columns.progress)
    }

    /// Writes the columns names, badges, flags and progress.
    public mutating func append(columns: BadgeColumns) throws(DBusError) {
        try append(names: columns.names)
        try append(values: columns)
    }

    /// Writes an empty dictionary, which ends every message of Roundel.
    public mutating func appendNoExtras() throws(DBusError) {
        try append(map: [:])
    }
}
