internal import CGtk4
internal import Support
internal import WindowModel

/// The window that shows what a bug report needs, to be read, copied or saved. It sends nothing.
@Interface
final class ReportWindow {
    private let window: Widget
    private let pages: Stack
    private let text: Widget
    private let notice: Label
    private let toasts: Widget
    private let (copy, save): (Button, Button)
    private var page = ReportPage.waiting
    private var chooser: FileChooser?
    private var working: Task<Void, Never>?

    /// - Parameter parent: The window that it is in front of.
    init(over parent: Widget) {
        let blueprint = Blueprint("report")
        (window, pages, text) = (blueprint.widget("window"), blueprint.widget("pages"), blueprint.widget("text"))
        (notice, toasts) = (blueprint.widget("notice"), blueprint.widget("toasts"))
        (copy, save) = (blueprint.widget("copy"), blueprint.widget("save"))
        gtk_window_set_transient_for(window.typed(), parent.typed())
        window.on("close-request") { [weak self] in self?.working?.cancel() }
        copy.onClick { [weak self] in self?.copyText() }
        save.onClick { [weak self] in self?.chooseFile() }
        show(.waiting)
        working = Task { [weak self] in
            let page = await ReportPage.gathered()
            if !Task.isCancelled { self?.show(page) }
        }
    }

    /// Brings it to the front.
    func present() { gtk_window_present(window.typed()) }

    private func show(_ page: ReportPage) {
        self.page = page
        pages.page = page.kind.rawValue
        notice.text = page.text
        gtk_text_buffer_set_text(gtk_text_view_get_buffer(text.typed()), page.text, -1)
        for button in [copy, save] { button.isSensitive = page.kind == .report }
    }

    private func copyText() {
        gdk_clipboard_set_text(gtk_widget_get_clipboard(window.widget), page.text)
        say(tr("Copied."))
    }

    private func chooseFile() {
        chooser = FileChooser(over: window, tr("Save the Report"), tr("Save"), .newFile(name: ReportPage.fileName)) {
            [weak self] file in
            guard let page = self?.page else { return }
            Task { [weak self] in
                let said = await page.save(as: file)
                self?.say(said)
            }
        }
    }

    private func say(_ text: String) { Toast.of(text).map { adw_toast_overlay_add_toast(toasts.opaque, $0) } }
}
