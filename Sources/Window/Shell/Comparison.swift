internal import CGtk4
internal import RoundelBus
internal import Support
internal import SystemPackage
internal import WindowModel

/// A window with the differences of two texts.
@Interface
enum Comparison {
    /// Shows the differences as soon as both files are read.
    static func show(_ name: String, _ mine: ItemURI, _ theirs: ItemURI, over window: MainWindow) {
        Task {
            switch await differences(mine, theirs) {
            case .lines(let lines)?: present(name, lines, mine, theirs, over: window)
            case .noText?, nil:
                if let tool = CompareTool.installed { return compare(mine, theirs, with: tool, over: window) }
                window.say(tr("These files are no text, so that they cannot be compared here."))
            case .unreadable?: window.say(tr("One of the versions cannot be read."))
            }
        }
    }

    private static func present(
        _ name: String, _ lines: [TextDifference.Line], _ mine: ItemURI, _ theirs: ItemURI, over window: MainWindow
    ) {
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
        if let tool = CompareTool.installed {
            let button: Button = blueprint.widget("tool")
            // Translators: {1} is the name of a program that compares files.
            button.setLabel(tr("Compare in {1}", tool.name))
            button.isVisible = true
            button.onClick { [weak window] in
                if let window { compare(mine, theirs, with: tool, over: window) }
            }
        }
        gtk_window_present(dialog.typed())
    }

    /// Shows both files in a program that does nothing else, in which lines can be taken over.
    private static func compare(
        _ mine: ItemURI, _ theirs: ItemURI, with tool: CompareTool, over window: MainWindow
    ) {
        let isStarted =
            tool.path.map { path in
                theirs.filePath.withPlatformString { theirs in
                    mine.filePath.withPlatformString { mine in cgtk4_start(path, theirs, mine) != 0 }
                }
            } ?? false
        if !isStarted { window.say(tr("{1} could not be started.", tool.name)) }
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
