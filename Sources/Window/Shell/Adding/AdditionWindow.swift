internal import CGtk4
internal import RoundelBus
internal import Support
internal import WindowModel

/// The assistant that adds a folder: draws an ``Addition``, and has its questions asked.
@Interface
final class AdditionWindow {
    private let window: Widget
    private let steps: Stack
    private let notice: Revealer
    private let noticeText: Label
    private let spinner: Spinner
    private let back: Button
    private let next: Button
    private let address: EntryRow
    private let login = LoginSteps()
    private var certificates: CertificateStep?
    private let folder: Widget
    private let limited: Switch
    private let treeNotice: Label
    private let directories: RowList<String, DirectoryRowView>
    private let tree: Widget
    private let summary: Label
    private let warning: Label

    private let services: AdditionServices
    private let added: @Interface (ItemURI) -> Void
    private var addition: Addition
    private var shownStep: Addition.Step?
    private var asking: Task<Void, Never>?
    private var chooser: FileChooser?

    /// - Parameters:
    ///   - parent: The window that it is in front of.
    ///   - added: Called with the folder that was added.
    init(
        over parent: Widget, _ services: AdditionServices, home: ItemURI,
        added: @escaping @Interface (ItemURI) -> Void
    ) {
        (self.services, self.added, addition) = (services, added, Addition(home: home))
        let blueprint = Blueprint("addition")
        window = blueprint.widget("window")
        (steps, spinner) = (blueprint.widget("steps"), blueprint.widget("spinner"))
        (notice, noticeText) = (blueprint.widget("notice"), blueprint.widget("notice-text"))
        (back, next) = (blueprint.widget("back"), blueprint.widget("next"))
        (address, folder) = (blueprint.widget("address"), blueprint.widget("folder"))
        (limited, treeNotice) = (blueprint.widget("limited"), blueprint.widget("tree-notice"))
        (tree, summary, warning) = (
            blueprint.widget("directories"), blueprint.widget("summary"), blueprint.widget("warning")
        )
        let router = DirectoryRowView.Router()
        directories = RowList(blueprint.widget("directories")) { DirectoryRowView($0, router) }
        router.window = self
        certificates = CertificateStep(blueprint) { [weak self] file, part in
            self?.change { addition in
                addition.choose(file, as: part)
                return nil
            }
        }
        login.add(to: steps)
        connectButtons(blueprint)
        gtk_window_set_transient_for(window.typed(), parent.typed())
        draw()
    }

    private func connectButtons(_ blueprint: Blueprint) {
        back.onClick { [weak self] in self?.goBack() }
        next.onClick { [weak self] in self?.goOn() }
        blueprint.widget("choose-directory", as: Button.self).onClick { [weak self] in self?.chooseRemote() }
        blueprint.widget("choose-folder", as: Button.self).onClick { [weak self] in self?.chooseFolder() }
        login.connect { [weak self] in
            self?.change { $0.openPage() }
        } usePassword: { [weak self] in
            self?.asking?.cancel()
            self?.change { addition in
                addition.usePassword()
                return nil
            }
        }
        let onDemand: Switch = blueprint.widget("on-demand")
        onDemand.on("notify::active") { [weak self, weak onDemand] in
            self?.addition.isOnDemand = onDemand?.isActive ?? false
        }
        limited.on("notify::active") { [weak self] in self?.limit() }
        window.on("close-request") { [weak self] in self?.asking?.cancel() }
    }

    func present() { gtk_window_present(window.typed()) }

    // MARK: What the person does

    private func goBack() {
        guard addition.canGoBack else { return }
        asking?.cancel()
        if addition.goBack() { draw() } else { gtk_window_close(window.typed()) }
    }

    private func goOn() {
        guard !addition.isBusy else { return }
        switch addition.step {
        case .address: change { [text = address.text] in $0.find(text) }
        case .certificates:
            change { [hasPassphrase = certificates?.hasPassphrase ?? false] in
                $0.giveCertificates(hasPassphrase: hasPassphrase)
            }
        case .page: change { $0.openPage() }
        case .password:
            change { [name = login.user, hasPassword = login.hasPassword] in
                $0.logIn(user: name, hasPassword: hasPassword)
            }
        case .choice, .summary: change { $0.goOn() }
        case .added: break
        }
    }

    /// Looks for what is at an address, as if the person had typed it.
    func find(_ text: String) {
        address.setText(text)
        change { $0.find(text) }
    }

    /// Uses this folder on this computer, whatever it is to sync with.
    func use(_ folder: ItemURI) { addition.use(folder) }

    private func chooseRemote() {
        chooser = FileChooser(over: window, tr("Choose a Directory"), tr("Choose")) { [weak self] uri in
            self?.find(uri.uri)
        }
    }

    private func chooseFolder() {
        chooser = FileChooser(over: window, tr("Folder on This Computer"), tr("Choose")) { [weak self] uri in
            self?.change { addition in
                addition.choose(uri)
                return nil
            }
        }
    }

    private func limit() {
        addition.changeDirectories { $0.isLimited = limited.isActive }
        var isListed = false
        if limited.isActive { addition.changeDirectories { isListed = $0.begin() } }
        if isListed { list("") }
        draw()
    }

    /// Opens a directory of the tree, or closes it.
    func toggle(_ path: String) {
        var isListed = false
        addition.changeDirectories { isListed = $0.toggle(path) }
        if isListed { list(path) }
        draw()
    }

    /// Has a directory of the tree synced or not.
    func choose(_ path: String, _ isChosen: Bool) {
        addition.changeDirectories { $0.choose(path, isChosen) }
        draw()
    }

    private func list(_ path: String) {
        guard let remote = addition.remote?.remote else { return }
        let services = services
        Task { [weak self] in
            let found: Result<(directories: [SyncRemoteDirectory], hasMore: Bool), any Error>
            do { found = .success(try await services.directories(of: remote, in: path)) } catch {
                found = .failure(error)
            }
            guard let self, addition.remote?.remote == remote else { return }
            addition.changeDirectories { choice in
                switch found {
                case .success(let found): choice.listed(path, found.directories, hasMore: found.hasMore)
                case .failure(let error): choice.failed(path, Sentence.of(error))
                }
            }
            draw()
        }
    }

    // MARK: Asking

    private func change(_ act: (inout Addition) -> (Int, Addition.Question)?) {
        let question = act(&addition)
        draw()
        if let question { ask(question) }
    }

    private func ask(_ question: (Int, Addition.Question)) {
        let (number, question) = question
        let services = services
        // The password is read when it is used, and nowhere else.
        let secret = addition.step == .certificates ? certificates?.secret : login.secret
        asking?.cancel()
        asking = Task { [weak self] in
            let answer = await services.answer(question, secret: secret) { page in self?.open(page) }
            guard let self, !Task.isCancelled else { return }
            if answer == .loggedIn { login.forgetPassword() }
            if answer == .certificatesKept { certificates?.forgetPassphrase() }
            change { $0.answered(number, answer) }
            // “Next” cannot have the keyboard while an answer is waited for.
            if addition.step == .certificates, !addition.isBusy { certificates?.grabFocus() }
        }
    }

    private func open(_ page: String) { gtk_show_uri(window.typed(), page, guint32(GDK_CURRENT_TIME)) }

    // MARK: Drawing

    private func draw() {
        let step = addition.step
        let said = addition.problem ?? addition.work
        if let said { noticeText.text = said }
        noticeText.setClass("error", addition.problem != nil)
        noticeText.setClass("dim-label", addition.problem == nil)
        notice.isRevealed = said != nil
        spinner.isSpinning = addition.isBusy
        back.setLabel(step == .address && !addition.isBusy ? tr("Cancel") : tr("Back"))
        back.isSensitive = addition.canGoBack
        next.setLabel(step == .summary ? tr("Add Folder") : tr("Next"))
        next.isSensitive = !addition.isBusy
        next.isVisible = step != .page
        let name = addition.remote?.server ?? addition.remote?.name ?? ""
        login.show(server: name, user: addition.remote?.user)
        certificates?.show(addition.certificates)
        drawChoice()
        summary.text = addition.summary?.sentences.joined(separator: "\n\n") ?? ""
        warning.show(addition.summary?.warning)
        show(step)
    }

    private func drawChoice() {
        adw_action_row_set_subtitle(folder.typed(), addition.folder.map { $0.sentencePath } ?? "")
        let choice = addition.directories
        if limited.isActive != choice.isLimited { limited.isActive = choice.isLimited }
        treeNotice.show(choice.isLimited ? (choice.isLoading ? tr("Looking for directories…") : choice.notice) : nil)
        let rows = choice.isLimited ? choice.rows : []
        directories.update(rows.map { (key: $0.path, content: $0) })
        tree.isVisible = !rows.isEmpty
    }

    private func show(_ step: Addition.Step) {
        guard step != shownStep else { return }
        shownStep = step
        // Whoever holds the key a little too long must not skip what there is to choose.
        let isTypedIn = step == .address || step == .password || step == .certificates
        gtk_window_set_default_widget(window.typed(), isTypedIn ? next.widget : nil)
        switch step {
        case .address:
            steps.page = "address"
            address.grabFocus()
        case .certificates:
            steps.page = "certificates"
            certificates?.grabFocus()
        case .page: steps.page = "page"
        case .password:
            steps.page = "password"
            login.grabFocus()
        case .choice: steps.page = "choice"
        case .summary:
            steps.page = "summary"
            next.grabFocus()
        case .added:
            if let folder = addition.folder { added(folder) }
            gtk_window_close(window.typed())
        }
    }
}
