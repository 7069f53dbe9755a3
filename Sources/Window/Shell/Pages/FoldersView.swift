internal import CGtk4
internal import RoundelBus
internal import WindowModel

/// The page of the folders.
@Interface
final class FoldersView {
    let page: Stack
    private let silent: Widget
    private let rows: RowList<ItemURI, FolderRowView>

    init(_ desk: Desk) {
        let blueprint = Blueprint("folders")
        page = blueprint.widget("page")
        silent = blueprint.widget("silent")
        rows = RowList(blueprint.widget("folders")) { folder in FolderRowView(folder, desk) }
    }

    func show(_ folders: FoldersPage) {
        page.page = folders.kind.rawValue
        if folders.kind == .silent { adw_status_page_set_description(silent.opaque, folders.notice) }
        rows.update(folders.rows.map { (key: $0.uri, content: $0) })
    }

    /// Leads the user to a folder.
    func lead(to folder: ItemURI) { rows.view(folder)?.row.grabFocus() }
}

/// The row of a folder.
final class FolderRowView: RowView {
    let row: Widget
    private let badge: Image
    private let name: Label
    private let sentence: Label
    private let contents: Label
    private let place: Label
    private let progress: ProgressBar
    private let amount: Label
    private let problems: Button
    private let sync: Button
    private let resume: Button
    private let menu: Widget
    private let actions: Actions

    init(_ folder: ItemURI, _ desk: Desk) {
        let blueprint = Blueprint("folder-row")
        row = blueprint.widget("row")
        (badge, progress) = (blueprint.widget("badge"), blueprint.widget("progress"))
        (name, sentence) = (blueprint.widget("name"), blueprint.widget("sentence"))
        (contents, place) = (blueprint.widget("contents"), blueprint.widget("place"))
        (amount, problems) = (blueprint.widget("amount"), blueprint.widget("problems"))
        (sync, resume, menu) = (blueprint.widget("sync"), blueprint.widget("resume"), blueprint.widget("menu"))
        actions = Actions("folder", of: row)
        actions.add("open") { [weak desk] in desk?.open(folder) }
        actions.add("sync") { [weak desk] in desk?.sync(folder) }
        actions.add("resume") { [weak desk] in desk?.resume(folder) }
        actions.add("stop") { [weak desk] in desk?.stop(folder) }
        actions.add("preferences") { [weak desk] in desk?.showPreferences(of: folder) }
        actions.addChoice("pause") { [weak desk] word in
            if let length = PauseLength(rawValue: word) { desk?.pause(folder, length) }
        }
        problems.onClick { [weak desk] in desk?.showProblems() }
    }

    func show(_ folder: FolderRow) {
        badge.icon = folder.icon
        name.text = folder.name
        sentence.show(folder.sentence)
        contents.show(folder.contents)
        place.show(folder.place)
        progress.isVisible = folder.work != nil
        progress.fraction = folder.work?.fraction ?? 0
        amount.show(folder.work?.text)
        problems.isVisible = folder.needsUser && folder.isManaged
        row.setAccessibleName(folder.spoken)
        menu.setAccessibleName(folder.menuName)
        sync.isVisible = folder.isManaged && !folder.isPaused
        resume.isVisible = folder.isManaged && folder.isPaused
        actions.enable("sync", folder.isManaged && !folder.isPaused)
        actions.enable("pause", folder.isManaged && !folder.isPaused)
        actions.enable("resume", folder.isManaged && folder.isPaused)
        actions.enable("stop", folder.isManaged)
        actions.enable("preferences", folder.isManaged)
    }
}
