/// How much may be read as values of any type: as ``DBusValue`` a message takes forty times its size, so that one that
/// a foreign program fills could take gigabytes.
///
/// Several readings may share one budget.
public struct ValueBudget: Sendable {
    /// How many more values may be read. Those inside others count, and so do the keys of dictionaries, except those of
    /// an `a{sv}` that ``MessageReader/readVariantMap(within:)`` reads.
    public private(set) var values: Int
    /// How many more bytes of UTF-8 the strings, object paths and keys may have together.
    public private(set) var bytes: Int

    /// A budget of this size.
    public init(values: Int, bytes: Int) {
        self.values = values
        self.bytes = bytes
    }

    /// For what a trusted program says, and for programs that only harm themselves.
    static let unlimited = ValueBudget(values: .max, bytes: .max)

    /// Takes one value.
    mutating func takeValue() throws(DBusError) {
        guard values > 0 else { throw Self.exceeded }
        values -= 1
    }

    /// Takes the bytes of a text.
    mutating func take(text: String) throws(DBusError) {
        let count = text.utf8.count
        guard count <= bytes else { throw Self.exceeded }
        bytes -= count
    }

    private static var exceeded: DBusError {
        DBusError(.limitsExceeded, "The message holds more values, or longer texts, than are read from it.")
    }
}
