internal import CGtk4

/// Some words over the contents of a window, for some seconds.
@Interface
enum Toast {
    /// The title of libadwaita's own form is one line, which is cut off; a sentence about what failed must be read to its end.
    static func of(_ text: String) -> OpaquePointer? {
        guard let toast = adw_toast_new(""), let label = gtk_label_new(text) else { return nil }
        let title = Label(UnsafeMutableRawPointer(label))
        gtk_label_set_wrap(title.opaque, 1)
        gtk_label_set_wrap_mode(title.opaque, PANGO_WRAP_WORD_CHAR)
        title.setClass("heading", true)
        adw_toast_set_custom_title(toast, title.widget)
        adw_toast_set_timeout(toast, guint(shortest + text.count / charactersPerSecond))
        return toast
    }

    /// Seconds that even two words are shown.
    private static let shortest = 5
    /// How fast a slow reader reads.
    private static let charactersPerSecond = 12
}
