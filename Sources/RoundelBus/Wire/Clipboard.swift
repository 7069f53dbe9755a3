package import DBus

extension ClipboardText {
    private static let key = "clipboard"

    /// What the extras of a reply or a signal have for the clipboard; nil for nothing.
    /// - Throws: if it is no text that a clipboard may be given.
    package static func read(from extras: VariantMap) throws(DBusError) -> ClipboardText? {
        guard let value = extras[key] else { return nil }
        guard let text = value.string.flatMap(ClipboardText.init) else {
            throw .invalidArgs("The text for the clipboard is not one line of at most \(largest) bytes.")
        }
        return text
    }

    /// The extras that hand it over.
    package var wire: VariantMap { [Self.key: .string(text)] }
}
