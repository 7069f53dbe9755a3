internal import CGtk4
internal import Support
internal import WindowModel

/// The row of a finding about this computer.
final class FindingRowView: RowView {
    /// Where what is done with a row goes: rows are made before their window is.
    @Interface
    final class Router {
        weak var window: CheckupWindow?
    }

    let row: Widget
    private let icon: Image
    private let text: Label
    private let advice: Label
    private let button: Button
    private var fix: CheckupFix?

    init(_ router: Router) {
        let blueprint = Blueprint("finding-row")
        (row, icon, text) = (blueprint.widget("row"), blueprint.widget("icon"), blueprint.widget("text"))
        (advice, button) = (blueprint.widget("advice"), blueprint.widget("fix"))
        button.onClick { [weak self, weak router] in
            guard let fix = self?.fix else { return }
            router?.window?.carryOut(fix)
        }
    }

    func show(_ finding: CheckupPage.Row) {
        fix = finding.fix
        icon.icon = finding.icon
        icon.setClass("warning", finding.isProblem)
        text.text = finding.text
        advice.show(finding.advice)
        button.isVisible = finding.fix != nil
        if let fix = finding.fix {
            button.setLabel(fix.label)
            button.setAccessibleDescription(finding.text)
        }
        row.setAccessibleName(finding.spoken)
    }
}
