internal import CGtk4
internal import Support
internal import WindowModel

/// The row of a directory to choose.
final class DirectoryRowView: RowView {
    /// Where what is done with a row goes: rows are made before the window is.
    @Interface
    final class Router {
        weak var window: AdditionWindow?
    }

    /// For each level of the tree, in pixels.
    private static let indent: Int32 = 24

    let row: Widget
    private let line: Widget
    private let open: Button
    private let chosen: CheckButton
    private let name: Label
    private let size: Label
    private let problem: Label
    /// Whether the check mark is changed by the program.
    private var isShowing = false

    init(_ path: String, _ router: Router) {
        let blueprint = Blueprint("directory-row")
        (row, line) = (blueprint.widget("row"), blueprint.widget("line"))
        (open, chosen) = (blueprint.widget("open"), blueprint.widget("chosen"))
        (name, size, problem) = (blueprint.widget("name"), blueprint.widget("size"), blueprint.widget("problem"))
        open.onClick { [weak router] in router?.window?.toggle(path) }
        chosen.on("toggled") { [weak self, weak router] in
            guard let self, !isShowing else { return }
            router?.window?.choose(path, chosen.isActive)
        }
    }

    func show(_ directory: DirectoryChoice.Row) {
        isShowing = true
        defer { isShowing = false }
        gtk_widget_set_margin_start(line.widget, Self.indent * Int32(clamping: directory.depth) + 6)
        name.text = directory.name
        size.show(directory.size)
        problem.show(directory.problem)
        chosen.isActive = directory.isChosen
        chosen.isSensitive = !directory.isInChosen
        chosen.setAccessibleName(directory.name)
        // Keeps its place, so that the names stand below each other.
        gtk_widget_set_opacity(open.widget, directory.mayBeOpened ? 1 : 0)
        open.isSensitive = directory.mayBeOpened
        open.setIcon(directory.isOpen ? "pan-down-symbolic" : "pan-end-symbolic")
        open.setAccessibleName(
            directory.isOpen ? tr("Close {1}", directory.name) : tr("Show the directories in {1}", directory.name))
    }
}
