internal import CGtk4
internal import RoundelBus
internal import Support
internal import WindowModel

/// A window with the differences of two texts.
@Interface
enum Comparison {
    /// Shows the differences as soon as both files are read.
    static func show(_ name: String, _ mine: ItemURI, _ theirs: ItemURI, over window: MainWindow) {
        Task {
            switch await differences(mine, theirs) {
            case .lines(let lines)?: present(name, lines, over: window)
            case .noText?, nil: window.say(tr("These files are no text, so that they cannot be compared here."))
            case .unreadable?: window.say(tr("One of the versions cannot be read."))
            }
        }
    }

    private static func present(_ name: String, _ lines: [TextDifference.Line], over window: MainWindow) {
        let blueprint = Blueprint("comparison")
        let dialog: Widget = blueprint.widget("window")
        gtk_window_set_title(dialog.typed(), name)
        gtk_window_set_transient_for(dialog.typed(), window.window.typed())
        let view: Widget = blueprint.widget("text")
        guard let buffer = gtk_text_view_get_buffer(view.typed()) else { return }
        cgtk4_text_tag(buffer, "mine", "rgba(46, 194, 126, 0.25)")
        cgtk4_text_tag(buffer, "theirs", "rgba(53, 132, 228, 0.25)")
        for line in lines {
            switch line {
            case .both(let text): cgtk4_text_append(buffer, "  \(text)\n", nil)
            // Translators: before a line of a text that only this computer's version has; short.
            case .mine(let text): cgtk4_text_append(buffer, "+ \(text)\n", "mine")
            case .theirs(let text): cgtk4_text_append(buffer, "− \(text)\n", "theirs")
            }
        }
        gtk_window_present(dialog.typed())
    }

    /// Files may be on a disk that does not answer, so that they are read on a thread of its own.
    private static func differences(_ mine: ItemURI, _ theirs: ItemURI) async -> TextDifference? {
        await withCheckedContinuation { continuation in
            do {
                try DetachedThread.start("compare") {
                    continuation.resume(returning: TextDifference(mine: mine, theirs: theirs))
                }
            } catch { continuation.resume(returning: nil) }
        }
    }
}
