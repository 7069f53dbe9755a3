internal import CDBus

extension MessageWriter {
    /// Writes an `as`.
    public mutating func append(strings: [String]) throws(DBusError) {
        try append(stringCount: strings.count) { strings[$0] }
    }

    /// Writes an `as` of so many strings, each asked for by its position: a column of whatever holds them, without an
    /// array of its own.
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
    mutating func typed(_ body: (inout MessageWriter) throws -> Void) throws(DBusError) {
        do { try body(&self) } catch { throw .from(error) }
    }
}
