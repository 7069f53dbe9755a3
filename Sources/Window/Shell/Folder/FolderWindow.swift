internal import CGtk4
internal import Client
internal import DBus
internal import RoundelBus
internal import Support
internal import WindowModel

/// The preferences of one folder: its space, its login, its use of the network, and what of it is not synced.
@Interface
final class FolderWindow {
    let folder: ItemURI
    let window: Widget
    private let space: (folder: ActionRow, here: ActionRow, there: ActionRow)
    private let accountGroup: Widget
    private let account: ActionRow
    private let logIn: Button
    private let logOut: Button
    private let network: NetworkGroup
    private let excludes: ExcludesView
    private let questions: FolderQuestions
    private var tasks: [Task<Void, Never>] = []
    private var asking: Task<Void, Never>?
    private var asksAgain = false

    /// - Parameter parent: The window that it is in front of.
    init(over parent: Widget, _ folder: FolderRow, bus: AsyncConnection, _ desk: Desk) {
        self.folder = folder.uri
        questions = FolderQuestions(folder.uri, bus: bus)
        let blueprint = Blueprint("folder")
        window = blueprint.widget("window")
        space = (blueprint.widget("space-folder"), blueprint.widget("space-here"), blueprint.widget("space-there"))
        (accountGroup, account) = (blueprint.widget("account-group"), blueprint.widget("account"))
        (logIn, logOut) = (blueprint.widget("log-in"), blueprint.widget("log-out"))
        network = NetworkGroup(blueprint, questions)
        excludes = ExcludesView(blueprint, questions)
        gtk_window_set_title(window.typed(), tr("Preferences of {1}", folder.name))
        gtk_window_set_transient_for(window.typed(), parent.typed())
        logIn.onClick { [weak self, weak desk] in
            if let self { desk?.logIn(self.folder, over: window) }
        }
        logOut.onClick { [weak self, weak desk] in
            if let self { desk?.logOut(self.folder, over: window) }
        }
        network.failed = { [weak self] in self?.say($0) }
        excludes.change = { [weak self, weak desk] change in
            guard let self else { return }
            desk?.carryOut { [folder = self.folder] actions in
                switch change {
                case .add(let pattern): try await actions.addPattern(pattern, to: folder)
                case .remove(let pattern): try await actions.removePatterns([pattern], of: folder)
                }
                await self.refresh()
            } failed: { [weak self] error in
                if case .add(let pattern) = change { self?.excludes.putBack(pattern) }
                self?.say(Sentence.of(error))
                return true
            }
        }
        window.on("close-request") { [weak self, weak desk] in
            self?.end()
            desk?.preferences = nil
        }
        show(SpaceWords(nil))
        tasks.append(
            Task { [weak self, questions] in
                let space = SpaceWords(await questions.space())
                self?.show(space)
            })
        tasks.append(Task { [weak self] in await self?.network.load() })
    }

    func present() { gtk_window_present(window.typed()) }

    /// Shows what is known of the folder now.
    func learn(_ report: StatusReport) {
        guard let known = report.folders.first(where: { $0.uri == folder }) else { return }
        let row = known.details.flatMap { AccountRow($0) }
        accountGroup.isVisible = row != nil
        if let row {
            account.setTitle(row.server)
            account.setSubtitle(row.state)
            logIn.setLabel(row.button)
            logIn.setClass("suggested-action", row.isNeeded)
            logOut.isVisible = !row.isNeeded
        }
        refresh()
    }

    private func end() {
        for task in tasks { task.cancel() }
        tasks = []
        asking?.cancel()
        excludes.end()
    }

    private func show(_ words: SpaceWords) {
        space.folder.setSubtitle(words.folder)
        space.here.setSubtitle(words.here)
        space.there.setSubtitle(words.there)
    }

    private func say(_ text: String) {
        Toast.of(text).map { adw_preferences_window_add_toast(window.typed(), $0) }
    }

    /// Asks again what is not synced; not too often while much changes.
    private func refresh() {
        asksAgain = true
        guard asking == nil else { return }
        asking = Task { [weak self, questions] in
            while self?.asksAgain == true {
                self?.asksAgain = false
                let page = await questions.excludes()
                guard !Task.isCancelled else { return }
                self?.excludes.show(page)
                try? await Task.sleep(for: Patience.Window.problems)
            }
            self?.asking = nil
        }
    }
}
