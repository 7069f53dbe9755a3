/// What was done last that can be undone, with the button for it.
///
/// A toast would be gone before a screen reader or a keyboard gets to its button: this stays until a person has used or
/// dismissed it, went to another page, or did something else of that kind.
@Interface
final class UndoBar {
    private let bar: Widget
    private let text: Label
    private var undo: (@Interface () -> Void)?

    init(_ blueprint: Blueprint) {
        (bar, text) = (blueprint.widget("done"), blueprint.widget("done-text"))
        blueprint.widget("undo", as: Button.self).onClick { [weak self] in
            let undo = self?.undo
            self?.dismiss()
            undo?()
        }
        blueprint.widget("dismiss", as: Button.self).onClick { [weak self] in self?.dismiss() }
    }

    func show(_ text: String, undo: @escaping @Interface () -> Void) {
        self.text.text = text
        self.undo = undo
        bar.setAccessibleName(text)
        bar.isVisible = true
    }

    func dismiss() {
        undo = nil
        bar.isVisible = false
    }
}
