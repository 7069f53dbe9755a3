internal import CGtk4
internal import RoundelBus
internal import Support
internal import WindowModel

/// What of a folder is not synced: the patterns, the items, and a field in which a name is tried.
@Interface
final class ExcludesView {
    /// What a person does to the patterns.
    enum Change: Sendable {
        case add(String)
        case remove(String)
    }

    /// Called with what the person does.
    var change: (@Interface (Change) -> Void)?
    private let page: Widget
    private let tried: EntryRow
    private let verdict: Label
    private let new: EntryRow
    private let noPatterns: Widget
    private let bundled: Label
    private let remark: Label
    private let itemList: Widget
    private let patterns: RowList<String, PatternRowView>
    private let items: RowList<ItemURI, ExcludedRowView>
    private let questions: FolderQuestions
    private var trying: Task<Void, Never>?

    init(_ blueprint: Blueprint, _ questions: FolderQuestions) {
        self.questions = questions
        (page, tried) = (blueprint.widget("excludes-page"), blueprint.widget("try"))
        (verdict, new) = (blueprint.widget("verdict"), blueprint.widget("new-pattern"))
        (bundled, remark) = (blueprint.widget("bundled"), blueprint.widget("items-remark"))
        (noPatterns, itemList) = (blueprint.widget("patterns"), blueprint.widget("items"))
        let router = PatternRowView.Router()
        patterns = RowList(blueprint.widget("patterns")) { PatternRowView($0, router) }
        items = RowList(blueprint.widget("items")) { ExcludedRowView($0) }
        router.view = self
        tried.on("changed") { [weak self] in self?.tryName() }
        new.on("apply") { [weak self] in self?.add() }
        blueprint.widget("add-pattern", as: Button.self).onClick { [weak self] in self?.add() }
    }

    /// - Parameter excludes: Nil for an engine without patterns.
    func show(_ excludes: ExcludesPage?) {
        page.isVisible = excludes != nil
        guard let excludes else { return }
        patterns.update(excludes.patterns.map { (key: $0.text, content: $0) })
        noPatterns.isVisible = !excludes.patterns.isEmpty
        bundled.text = excludes.bundled
        items.update(excludes.items.map { (key: $0.uri, content: $0) })
        itemList.isVisible = !excludes.items.isEmpty
        remark.show(excludes.remark)
        // Another pattern may say otherwise.
        tryName()
    }

    func remove(_ pattern: String) { change?(.remove(pattern)) }

    /// Shows a pattern again that was not taken, so that it can be corrected.
    func putBack(_ pattern: String) {
        if new.isEmpty { new.setText(pattern) }
    }

    func end() { trying?.cancel() }

    private func add() {
        let text = new.text
        guard !text.isEmpty else { return new.grabFocus() }
        change?(.add(text))
        new.setText("")
    }

    private func tryName() {
        trying?.cancel()
        let text = tried.text
        guard !text.isEmpty else { return verdict.show(nil) }
        trying = Task { [weak self, questions] in
            let words = await questions.verdict(on: text)
            guard !Task.isCancelled else { return }
            self?.verdict.show(words)
        }
    }
}

/// The row of a pattern.
final class PatternRowView: RowView {
    /// Where what is done with a row goes: rows are made before the view is.
    @Interface
    final class Router {
        weak var view: ExcludesView?
    }

    let row: Widget
    private let text: Label
    private let meaning: Label
    private let remove: Button

    init(_ pattern: String, _ router: Router) {
        let blueprint = Blueprint("pattern-row")
        (row, text) = (blueprint.widget("row"), blueprint.widget("text"))
        (meaning, remove) = (blueprint.widget("meaning"), blueprint.widget("remove"))
        remove.onClick { [weak router] in router?.view?.remove(pattern) }
    }

    func show(_ pattern: ExcludesPage.Pattern) {
        text.text = pattern.shown
        meaning.text = pattern.meaning
        row.setAccessibleName(TextList.of([pattern.shown, pattern.meaning]))
        remove.setAccessibleName(pattern.removal)
        remove.setTooltip(pattern.removal)
    }
}

/// The row of an item that is not synced.
final class ExcludedRowView: RowView {
    let row: Widget
    private let path: Label
    private let reason: Label

    init(_ item: ItemURI) {
        let blueprint = Blueprint("excluded-row")
        (row, path, reason) = (blueprint.widget("row"), blueprint.widget("path"), blueprint.widget("reason"))
    }

    func show(_ item: ExcludesPage.Item) {
        path.text = item.path
        reason.text = item.reason
        row.setAccessibleName(item.spoken)
    }
}
