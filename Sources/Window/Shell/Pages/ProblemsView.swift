internal import RoundelBus
internal import WindowModel

/// The page of the problems.
@Interface
final class ProblemsView {
    let page: Stack
    private let needs: RowList<ItemURI, NeedRowView>
    private let conflicts: RowList<ItemURI, ConflictRowView>
    private let items: RowList<ItemURI, ProblemRowView>
    private let groups: (needs: Widget, conflicts: Widget, items: Widget)
    private let allAlike: Widget
    private let more: Label
    private let actions: Actions

    init(_ desk: Desk) {
        let blueprint = Blueprint("problems")
        page = blueprint.widget("page")
        needs = RowList(blueprint.widget("needs")) { NeedRowView($0, desk) }
        conflicts = RowList(blueprint.widget("conflicts")) { ConflictRowView($0, desk) }
        items = RowList(blueprint.widget("items")) { ProblemRowView($0, desk) }
        groups = (
            blueprint.widget("needs-group"), blueprint.widget("conflicts-group"), blueprint.widget("items-group")
        )
        (allAlike, more) = (blueprint.widget("all-alike"), blueprint.widget("more"))
        actions = Actions("conflicts", of: page)
        actions.addChoice("all") { [weak desk] word in
            if let choice = SyncConflict.Choice(rawValue: word) { desk?.resolveAll(as: choice) }
        }
    }

    func show(_ problems: ProblemsPage) {
        page.page = problems.kind.rawValue
        needs.update(problems.needs.map { (key: $0.folder, content: $0) })
        conflicts.update(problems.conflicts.map { (key: $0.uri, content: $0) })
        items.update(problems.items.map { (key: $0.uri, content: $0) })
        groups.needs.isVisible = !problems.needs.isEmpty
        groups.conflicts.isVisible = !problems.conflicts.isEmpty
        groups.items.isVisible = !problems.items.isEmpty
        allAlike.isVisible = problems.conflicts.count > 1
        more.show(problems.more)
    }

    /// Leads the user to what is wrong with an item or a folder.
    func lead(to item: ItemURI) {
        (needs.view(item)?.row ?? conflicts.view(item)?.row ?? items.view(item)?.row)?.grabFocus()
    }
}

/// The row of a folder that waits for an answer.
final class NeedRowView: RowView {
    let row: Widget
    private let title: Label
    private let advice: Label
    private let answers: Box
    private let folder: ItemURI
    private weak var desk: Desk?
    private var buttons: [(answer: NeedAnswer, button: Button)] = []

    init(_ folder: ItemURI, _ desk: Desk) {
        let blueprint = Blueprint("need-row")
        row = blueprint.widget("row")
        (title, advice) = (blueprint.widget("title"), blueprint.widget("advice"))
        answers = blueprint.widget("answers")
        (self.folder, self.desk) = (folder, desk)
    }

    func show(_ need: ProblemsPage.Need) {
        title.text = need.title
        advice.text = need.advice
        row.setAccessibleName(need.title)
        row.setAccessibleDescription(need.advice)
        guard buttons.map(\.answer) != need.answers else { return }
        for (_, button) in buttons { answers.remove(button) }
        buttons = need.answers.map { answer in
            let button = Button.wrapping(answer.label)
            button.setClass("destructive-action", answer.isDestructive)
            button.onClick { [weak desk, folder] in desk?.answer(folder, answer) }
            answers.append(button)
            return (answer, button)
        }
    }
}

/// The row of an item that failed or waits.
final class ProblemRowView: RowView {
    let row: Widget
    private let icon: Image
    private let name: Label
    private let reason: Label
    private let place: Label
    private let exclude: Button

    init(_ item: ItemURI, _ desk: Desk) {
        let blueprint = Blueprint("problem-row")
        row = blueprint.widget("row")
        (icon, name) = (blueprint.widget("icon"), blueprint.widget("name"))
        (reason, place) = (blueprint.widget("reason"), blueprint.widget("place"))
        exclude = blueprint.widget("exclude")
        exclude.onClick { [weak desk] in desk?.exclude(item) }
        blueprint.widget("retry", as: Button.self).onClick { [weak desk] in desk?.sync(item) }
        blueprint.widget("show", as: Button.self).onClick { [weak desk] in desk?.showInFolder(item) }
    }

    func show(_ item: ProblemsPage.Item) {
        icon.icon = item.icon
        name.text = item.name
        reason.text = item.reason
        place.text = item.place
        exclude.isVisible = item.mayBeExcluded
        row.setAccessibleName(item.spoken)
    }
}
