package import DBus

extension ClipboardText {
    private static let key = "clipboard"

    /// The text for the clipboard in the extras of a reply or a signal; nil if there is none.
    /// - Throws: An error if the text is not allowed for a clipboard.
    package static func read(from extras: VariantMap) throws(DBusError) -> ClipboardText? {
        guard let value = extras[key] else { return nil }
        guard let text = value.string.flatMap(ClipboardText.init) else {
            throw .invalidArgs("The text for the clipboard is not one line of at most \(largest) bytes.")
        }
        return text
    }

    /// The extras that contain the text.
    package var wire: VariantMap { [Self.key: .string(text)] }
}
