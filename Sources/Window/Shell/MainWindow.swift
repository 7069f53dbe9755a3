internal import CGtk4
internal import Client
internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage
internal import WindowModel

/// The window: its pages, and what is known of the folders.
@Interface
final class MainWindow {
    /// A page, by its name.
    enum Page: String, CaseIterable {
        case folders, problems, activity, versions
    }

    /// The window itself.
    let window: Widget
    private let desk: Desk
    private let pages: Widget
    private let toasts: Widget
    private let done: UndoBar
    private let notice: Revealer
    private let noticeText: Label
    private let tryAgain: Widget
    private let folders: FoldersView
    private let problems: ProblemsView
    private let activity: ActivityView
    private let versions: VersionsView
    private let actions: Actions

    private var knowledge: Knowledge
    private var found: FoundProblems?
    private var entries = ActivityPage()
    private var troubles: [String]?
    private var isAskingForProblems = false
    private var asksAgain = false
    private var tasks: [Task<Void, Never>] = []
    private var feed: FolderFeed?
    private var bus: AsyncConnection?
    private var addition: AdditionWindow?
    private let settings: SettingsWindows
    private var sharing: SharingWindow?
    /// What is done as soon as there is a bus.
    private var onBus: [@Interface (AsyncConnection) -> Void] = []
    /// The item to which the user is led as soon as it is shown.
    private var target: ItemURI?
    private let memory: Memory

    init(_ application: OpaquePointer) {
        memory = Memory()
        knowledge = memory.folders ?? Knowledge(StatusReport([]), .nothing)
        desk = Desk()
        let blueprint = Blueprint("window")
        window = blueprint.widget("window")
        (pages, toasts) = (blueprint.widget("pages"), blueprint.widget("toasts"))
        (notice, noticeText) = (blueprint.widget("notice"), blueprint.widget("notice-text"))
        tryAgain = blueprint.widget("try-again")
        done = UndoBar(blueprint)
        folders = FoldersView(desk)
        problems = ProblemsView(desk)
        activity = ActivityView(desk)
        versions = VersionsView(desk)
        actions = Actions("win", of: window)
        settings = SettingsWindows(over: window)
        desk.window = self
        settings.main = self
        add(folders.page, .folders, tr("Folders"), "folder-symbolic")
        add(problems.page, .problems, tr("Problems"), "dialog-warning-symbolic")
        add(activity.page, .activity, tr("Activity"), "document-open-recent-symbolic")
        add(versions.page, .versions, tr("Versions"), "edit-undo-symbolic")
        actions.addChoice("page") { [weak self] name in Page(rawValue: name).map { self?.show($0) } }
        actions.add("search") { [weak self] in
            self?.show(.activity)
            self?.activity.beginSearch()
        }
        actions.add("try-again") { [weak self] in self?.begin() }
        actions.add("add") { [weak self] in self?.addFolder() }
        actions.add("engines") { [weak self] in self?.settings.showEngines() }
        actions.add("check") { [weak self] in self?.settings.check() }
        actions.add("report") { [weak self] in self?.settings.reportProblem() }
        actions.add("about") { [weak self] in
            guard let self else { return }
            gtk_window_present(cgtk4_about(window.raw, roundelRelease).assumingMemoryBound(to: GtkWindow.self))
        }
        actions.add("sync-all") { [weak self] in
            guard let self else { return }
            let rows = FoldersPage(knowledge, now: Moment.now).rows
            desk.syncAll(rows.filter { $0.isManaged && !$0.isPaused }.map(\.uri))
        }
        connect(pages.raw, "notify::visible-child") { [weak self] _ in
            // Who went elsewhere is content with what was done.
            self?.done.dismiss()
            if self?.page == .versions { self?.loadVersions() }
            if self?.page == .problems, let feed = self?.feed { self?.findAuthors(feed) }
            return false
        }
        gtk_window_set_application(window.typed(), UnsafeMutablePointer(application))
        show()
    }

    private func add(_ view: Stack, _ page: Page, _ title: String, _ icon: String) {
        cgtk4_stack_page(pages.widget, view.widget, page.rawValue, title, icon)
    }

    // MARK: Pages

    private var page: Page? {
        adw_view_stack_get_visible_child_name(pages.opaque).flatMap { Page(rawValue: String(cString: $0)) }
    }

    /// Shows a page, and leads to an item on it.
    func show(_ page: Page, _ item: ItemURI? = nil) {
        adw_view_stack_set_visible_child_name(pages.opaque, page.rawValue)
        target = item
        lead()
    }

    /// Shows a folder, or what is wrong with an item.
    func show(_ item: ItemURI) {
        let isFolder = knowledge.report.folders.contains { $0.uri == item }
        show(isFolder ? .folders : .problems, item)
    }

    /// Shows what was done with an item.
    func showHistory(of item: ItemURI) {
        show(.activity)
        withBus { [weak self] _ in self?.activity.showHistory(of: item) }
    }

    /// Shows what another program asks for.
    func show(_ view: WindowView, of subject: String) {
        switch view {
        case .problems: show(.problems, try? ItemURI(subject))
        case .why: (try? ItemURI(subject)).map { settings.why($0) }
        case .history: (try? ItemURI(subject)).map { showHistory(of: $0) }
        case .engines: settings.showEngines(subject)
        case .share: (try? ItemURI(subject)).map { share($0) }
        case .add: (try? ItemURI(subject)).map { addFolder(here: $0) }
        }
    }

    /// Brings the window to the front.
    func present() { gtk_window_present(window.typed()) }

    /// Says something for some seconds.
    func say(_ text: String) {
        Toast.of(text).map { adw_toast_overlay_add_toast(toasts.opaque, $0) }
    }

    /// Says that something was done, as long as it can be undone here.
    func say(_ text: String, undo: @escaping @Interface () -> Void) { done.show(text, undo: undo) }

    /// The row of a folder; nil if it is not known.
    func row(of folder: ItemURI) -> FolderRow? {
        knowledge.report.folders.first { $0.uri == folder }.map { FolderRow($0) }
    }

    /// Tells the preferences of a folder that are open what is known of it.
    func tellPreferences() { desk.preferences?.learn(knowledge.report) }

    /// Shows the assistant that adds a folder.
    /// - Parameter address: Where the files are, if that is known.
    func addFolder(from address: String? = nil) {
        guard let bus, let home = Self.home else { return say(tr("Roundel's service does not answer.")) }
        let addition = AdditionWindow(over: window, AdditionServices(bus: bus), home: home) { [weak self] folder in
            self?.say(tr("{1} is synced from now on.", folder.sentencePath))
            self?.show(.folders, folder)
        }
        self.addition = addition
        addition.present()
        if let address { addition.find(address) }
    }

    /// Shows the dialog that shares an item.
    func share(_ item: ItemURI) {
        withBus { [weak self] bus in
            guard let self else { return }
            let services = SharingServices(bus: bus, item: item)
            let sharing = SharingWindow(over: window, services, today: CalendarDay(local: Moment.now))
            self.sharing = sharing
            sharing.present()
        }
    }

    /// Shows the assistant that adds a folder of this computer.
    func addFolder(here folder: ItemURI) {
        withBus { [weak self] _ in
            self?.addFolder()
            self?.addition?.use(folder)
        }
    }

    private func withBus(_ body: @escaping @Interface (AsyncConnection) -> Void) {
        if let bus { body(bus) } else { onBus.append(body) }
    }

    private static let home: ItemURI? = getenv("HOME").flatMap { try? ItemURI(path: FilePath(platformString: $0)) }

    /// The synced folders.
    var folderURIs: [ItemURI] { knowledge.report.folders.map(\.uri) }

    /// The items in conflict that are shown.
    var conflicts: [ItemURI] { (found?.conflicts ?? []).compactMap { try? ItemURI($0.uri) } }

    private func lead() {
        guard let target, let page else { return }
        switch page {
        case .folders: folders.lead(to: target)
        case .problems: problems.lead(to: target)
        case .activity, .versions: break
        }
    }

    // MARK: Following

    /// Follows the folders from now on.
    func begin() {
        for task in tasks { task.cancel() }
        tasks = [Task { [weak self] in await self?.follow() }]
    }

    private func follow() async {
        do {
            let bus = try await AsyncConnection.open(.session)
            self.bus = bus
            desk.use(bus)
            settings.use(bus)
            for body in onBus { body(bus) }
            onBus = []
            let feed = FolderFeed(bus: bus)
            self.feed = feed
            tasks.append(Task { [weak self] in await self?.followActivity(feed) })
            for await knowledge in feed.knowledge() { learn(knowledge) }
        } catch {
            learn(Knowledge(knowledge.report, .lost(Sentence.of(error))))
        }
    }

    private func learn(_ knowledge: Knowledge) {
        // What was remembered says more than a service that does not answer.
        let isWorse = knowledge.report.folders.isEmpty && knowledge.origin != .live
        self.knowledge = isWorse ? Knowledge(self.knowledge.report, knowledge.origin) : knowledge
        if knowledge.origin == .live {
            memory.remember(knowledge.report)
            let troubles = knowledge.report.troubles
            if troubles != self.troubles {
                self.troubles = troubles
                problemsChanged()
            }
        }
        show()
    }

    private func show() {
        let now = Moment.now
        let page = FoldersPage(knowledge, now: now)
        folders.show(page)
        let shown = ProblemsPage(knowledge, found, now: now)
        problems.show(shown)
        cgtk4_stack_badge(pages.widget, problems.page.widget, guint(shown.count))
        noticeText.text = page.notice ?? ""
        notice.isRevealed = page.kind == .list && page.notice != nil
        if case .lost = knowledge.origin { tryAgain.isVisible = true } else { tryAgain.isVisible = false }
        lead()
        tellPreferences()
    }

    private func followActivity(_ feed: FolderFeed) async {
        while !Task.isCancelled {
            // What was done before comes again.
            entries = ActivityPage()
            do {
                for try await new in try await feed.activity() {
                    entries.add(new)
                    activity.show(entries)
                }
                return
            } catch {
                try? await Task.sleep(for: Patience.Window.again)
            }
        }
    }

    /// Asks for the problems again.
    func problemsChanged() {
        guard !isAskingForProblems, let feed else {
            asksAgain = true
            return
        }
        isAskingForProblems = true
        Task { [weak self] in
            repeat {
                self?.asksAgain = false
                let found = await feed.problems()
                guard let self else { return }
                self.found = found
                show()
                findAuthors(feed)
                if asksAgain { try? await Task.sleep(for: Patience.Window.problems) }
            } while self?.asksAgain == true
            self?.isAskingForProblems = false
        }
    }

    /// Finds out who wrote the other versions of conflicts, while these are shown.
    private func findAuthors(_ feed: FolderFeed) {
        guard page == .problems, let known = found?.conflicts, known.contains(where: { $0.author == nil }) else {
            return
        }
        Task { [weak self] in
            let told = await feed.conflicts(asksAuthors: true)
            // Problems that changed meanwhile are asked for again.
            guard let self, found?.conflicts == known, !told.isEmpty else { return }
            found?.conflicts = told
            show()
        }
    }

    /// Asks for the earlier versions, those in a history as well.
    func loadVersions() {
        guard let bus else { return }
        activity.loadVersions()
        Task { [weak self] in
            let items = (try? await FolderActions(bus: bus).keptVersions()) ?? []
            guard let self else { return }
            versions.show(VersionsPage(items, folders: folderURIs, now: Moment.now))
        }
    }
}
