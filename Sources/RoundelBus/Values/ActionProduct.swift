/// What an action made for the person who chose it.
public enum ActionProduct: Hashable, Sendable {
    /// A text for the clipboard.
    case clipboard(ClipboardText)
    /// What the person asked to know, in sentences: it is shown where the action was chosen, or as a notification.
    case message(String)
}
