internal import RoundelBus
internal import WindowModel

/// The page of the earlier versions.
@Interface
final class VersionsView {
    let page: Stack
    private let rows: RowList<String, VersionRowView>

    init(_ desk: Desk) {
        let blueprint = Blueprint("versions")
        page = blueprint.widget("page")
        rows = RowList(blueprint.widget("versions")) { _ in VersionRowView(desk) }
    }

    func show(_ versions: VersionsPage) {
        page.page = versions.rows.isEmpty ? "empty" : "list"
        rows.update(versions.rows.map { (key: $0.uri.uri + $0.id, content: $0) })
    }
}

/// The row of an earlier version.
final class VersionRowView: RowView {
    let row: Widget
    private let name: Label
    private let reason: Label
    private let place: Label
    private let restore: Button
    private let since: Button
    private var version: VersionsPage.Row?

    init(_ desk: Desk) {
        let blueprint = Blueprint("version-row")
        row = blueprint.widget("row")
        (name, reason, place) = (blueprint.widget("name"), blueprint.widget("reason"), blueprint.widget("place"))
        (restore, since) = (blueprint.widget("restore"), blueprint.widget("since"))
        ReflowingBox.apply(to: blueprint.widget("content"))
        restore.onClick { [weak desk, weak self] in
            guard let version = self?.version else { return }
            self?.restore.isSensitive = false
            desk?.restore(version) { [weak self] in self?.restore.isSensitive = true }
        }
        since.onClick { [weak desk, weak self] in
            if let version = self?.version { desk?.restore(version.since) }
        }
    }

    func show(_ version: VersionsPage.Row) {
        self.version = version
        name.text = version.name
        reason.text = version.reason
        place.text = version.place
        row.setAccessibleName(version.spoken)
        restore.setAccessibleName(version.restoreName)
        since.isVisible = !version.since.scopes.isEmpty
        since.setAccessibleName(version.restoreSinceName)
    }
}
