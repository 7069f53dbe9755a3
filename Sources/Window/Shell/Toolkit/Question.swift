internal import CGtk4

/// A question in front of a window, with buttons for its answers.
@Interface
enum Question {
    /// A button.
    struct Answer {
        let id: String
        let label: String
        var isDestructive = false
    }

    /// Asks; Escape and closing the question answer nothing.
    /// - Parameters:
    ///   - answers: After a button that cancels.
    ///   - cancel: The words on that one.
    static func ask(
        over window: Widget, _ heading: String, _ body: String, cancel: String, _ answers: [Answer],
        _ handle: @escaping @Interface (String) -> Void
    ) {
        guard let dialog = cgtk4_message_dialog(window.raw, heading, body) else { return }
        cgtk4_message_dialog_add(dialog, "cancel", cancel, 0)
        for answer in answers {
            cgtk4_message_dialog_add(dialog, answer.id, answer.label, answer.isDestructive ? 1 : 0)
        }
        connect(dialog, "response") { arguments in
            if let id = arguments.string(0), id != "cancel" { handle(id) }
            return false
        }
        cgtk4_message_dialog_present(dialog)
    }
}
