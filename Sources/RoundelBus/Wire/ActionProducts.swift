package import DBus

extension ClipboardText {
    fileprivate static let key = "clipboard"

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

extension ActionProduct {
    private static let messageKey = "message"

    /// What a provider made, from the extras of its reply; nil if it made nothing. A text for the clipboard comes before
    /// a message.
    /// - Throws: An error if it is not allowed.
    package static func read(from extras: VariantMap) throws(DBusError) -> ActionProduct? {
        if let text = try ClipboardText.read(from: extras) { return .clipboard(text) }
        guard let value = extras[messageKey] else { return nil }
        guard let message = value.string else { throw .invalidArgs("The message of an action is no text.") }
        return message.isEmpty ? nil : .message(message)
    }

    /// The extras that contain it.
    package var wire: VariantMap {
        switch self {
        case .clipboard(let text): text.wire
        case .message(let message): [Self.messageKey: .string(message)]
        }
    }
}
