internal import RoundelBus
internal import WindowModel

/// The page of the activity, with a search and the history of one item.
@Interface
final class ActivityView {
    let page: Stack
    private let rows: RowList<String, ActivityRowView>
    private let search: SearchEntry
    private let history: Widget
    private let historyOf: Label
    private let nothing: Widget
    private let versions: RowList<[String], VersionRowView>
    private let earlier: Widget
    private let versionsTrouble: Label
    private unowned let desk: Desk
    private var activity = ActivityPage()
    private var item: ItemURI?

    init(_ desk: Desk) {
        self.desk = desk
        let blueprint = Blueprint("activity")
        page = blueprint.widget("page")
        (search, nothing) = (blueprint.widget("search"), blueprint.widget("nothing"))
        (history, historyOf) = (blueprint.widget("history"), blueprint.widget("history-of"))
        rows = RowList(blueprint.widget("entries")) { _ in ActivityRowView(desk) }
        (earlier, versionsTrouble) = (blueprint.widget("earlier"), blueprint.widget("versions-trouble"))
        versions = RowList(blueprint.widget("versions")) { _ in VersionRowView(desk) }
        search.on("search-changed") { [weak self] in self?.update() }
        blueprint.widget("all", as: Button.self).onClick { [weak self] in self?.showHistory(of: nil) }
    }

    func show(_ activity: ActivityPage) {
        self.activity = activity
        update()
    }

    /// Shows what was done with one item alone; nil for all.
    func showHistory(of item: ItemURI?) {
        self.item = item
        history.isVisible = item != nil
        if let item { historyOf.text = ActivityPage.title(ofHistory: item) }
        search.setText("")
        showVersions(nil, trouble: nil)
        update()
        loadVersions()
    }

    /// Finds the earlier versions of the item whose history is shown.
    func loadVersions() {
        guard let item else { return }
        desk.findVersions(of: item) { [weak self] found, trouble in
            if self?.item == item { self?.showVersions(found, trouble: trouble) }
        }
    }

    private func showVersions(_ found: VersionsPage?, trouble: String?) {
        let shown = found?.rows ?? []
        versions.update(shown.map { (key: ["\($0.keeper)", $0.id], content: $0) })
        earlier.isVisible = !shown.isEmpty
        versionsTrouble.text = trouble ?? ""
        versionsTrouble.isVisible = trouble != nil
    }

    /// Puts the focus where the user writes what to look for.
    func beginSearch() { search.grabFocus() }

    private func update() {
        let shown = activity.rows(matching: search.text, of: item, now: Moment.now)
        let isEmpty = search.text.isEmpty && item == nil && shown.isEmpty
        page.page = isEmpty ? "empty" : "list"
        nothing.isVisible = shown.isEmpty
        rows.update(shown.map { (key: $0.id, content: $0) })
    }
}

/// The row of one thing that syncing did.
final class ActivityRowView: RowView {
    let row: Widget
    private let icon: Image
    private let name: Label
    private let action: Label
    private let place: Label
    private let history: Button
    private let open: Button
    private var item: ItemURI?

    init(_ desk: Desk) {
        let blueprint = Blueprint("activity-row")
        row = blueprint.widget("row")
        (icon, name, action) = (blueprint.widget("icon"), blueprint.widget("name"), blueprint.widget("action"))
        place = blueprint.widget("place")
        (history, open) = (blueprint.widget("history"), blueprint.widget("show"))
        history.onClick { [weak desk, weak self] in self?.item.map { desk?.showHistory(of: $0) } }
        open.onClick { [weak desk, weak self] in self?.item.map { desk?.showInFolder($0) } }
    }

    func show(_ entry: ActivityPage.Row) {
        item = entry.uri
        icon.icon = entry.icon
        name.text = entry.name
        action.text = entry.action
        action.setClass("error", entry.isFailure)
        place.text = entry.place
        row.setAccessibleName(entry.spoken)
    }
}
