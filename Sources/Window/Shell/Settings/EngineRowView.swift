internal import CGtk4
internal import Support
internal import WindowModel

/// The row of a provider.
final class EngineRowView: RowView {
    /// Where what is done with a row goes: rows are made before their window is.
    @Interface
    final class Router {
        weak var window: EnginesWindow?
    }

    let row: Widget
    private let icon: Image
    private let name: Label
    private let summary: Label
    private let state: Label
    private let problem: Label
    private let isOn: Switch
    private let answers: Widget
    private let turnOn: Button
    private let notNow: Button
    /// Whether the switch is changed by the program.
    private var isShowing = false

    init(_ id: String, _ router: Router) {
        let blueprint = Blueprint("engine-row")
        (row, icon, name) = (blueprint.widget("row"), blueprint.widget("icon"), blueprint.widget("name"))
        (summary, state) = (blueprint.widget("summary"), blueprint.widget("state"))
        (problem, isOn) = (blueprint.widget("problem"), blueprint.widget("on"))
        (answers, turnOn) = (blueprint.widget("answers"), blueprint.widget("turn-on"))
        notNow = blueprint.widget("not-now")
        turnOn.onClick { [weak router] in router?.window?.turn(id, on: true) }
        notNow.onClick { [weak router] in router?.window?.turn(id, on: false) }
        isOn.on("notify::active") { [weak self, weak router] in
            guard let self, !isShowing else { return }
            router?.window?.turn(id, on: isOn.isActive)
        }
    }

    func show(_ engine: EnginesPage.Row) {
        isShowing = true
        defer { isShowing = false }
        icon.icon = engine.icon
        name.text = engine.name
        summary.show(engine.summary)
        state.text = engine.state
        problem.show(engine.problem)
        isOn.isActive = engine.isOn
        isOn.isVisible = !engine.isNew
        isOn.setAccessibleName(engine.name)
        isOn.setAccessibleDescription(engine.state)
        answers.isVisible = engine.isNew
        turnOn.setAccessibleName(tr("Turn on {1}", engine.name))
        notNow.setAccessibleName(tr("Leave {1} off", engine.name))
        row.setAccessibleName(engine.spoken)
    }

    /// Puts the focus where the row is answered or switched.
    func grabFocus() { if answers.isVisible { turnOn.grabFocus() } else { isOn.grabFocus() } }
}
