internal import CGtk4
internal import RoundelBus
internal import Secrets
internal import Support
internal import WindowModel

/// The dialog that shares an item: draws a ``Sharing``, and has its questions asked.
@Interface
final class SharingWindow {
    private let window: Widget
    private let share: Button
    private let spinner: Spinner
    private let notice: Revealer
    private let noticeText: Label
    private let choices: Widget
    private let whom: Label
    private let everybody: Button
    private let search: EntryRow
    private let searchList: Widget
    private let foundList: Widget
    private let found: RowList<[String], RecipientRowView>
    private let rights: [(rights: SyncShare.Rights, button: CheckButton)]
    private let until: EntryRow
    private let password: EntryRow
    private let passwordHint: Widget
    private let noPassword: CheckButton
    private let demands: Label
    private let shared: Widget
    private let shares: RowList<String, ShareRowView>

    /// The rows hold it weakly.
    private let rowRouter: ShareRouter
    private let services: SharingServices
    private var sharing: Sharing
    /// For which share an end was proposed, so that what the person types stays.
    private var proposedFor: String?

    /// - Parameter parent: The window that it is in front of.
    init(over parent: Widget, _ services: SharingServices, today: CalendarDay?) {
        self.services = services
        sharing = Sharing(services.item, today: today)
        let blueprint = Blueprint("sharing")
        window = blueprint.widget("window")
        (share, spinner) = (blueprint.widget("share"), blueprint.widget("spinner"))
        (notice, noticeText) = (blueprint.widget("notice"), blueprint.widget("notice-text"))
        (choices, whom, everybody) = (
            blueprint.widget("choices"), blueprint.widget("whom"), blueprint.widget("everybody")
        )
        (search, searchList, foundList) = (
            blueprint.widget("search"), blueprint.widget("search-list"), blueprint.widget("found")
        )
        rights = [
            (.view, blueprint.widget("view")), (.edit, blueprint.widget("edit")), (.upload, blueprint.widget("upload")),
        ]
        (until, password, demands) = (
            blueprint.widget("until"), blueprint.widget("password"), blueprint.widget("demands")
        )
        (passwordHint, noPassword) = (blueprint.widget("password-hint"), blueprint.widget("no-password"))
        shared = blueprint.widget("shared")
        let router = ShareRouter()
        found = RowList(blueprint.widget("found")) { _ in RecipientRowView(router) }
        shares = RowList(blueprint.widget("shares")) { _ in ShareRowView(router) }
        rowRouter = router
        router.window = self
        connect(blueprint)
        gtk_window_set_title(window.typed(), sharing.title)
        gtk_window_set_transient_for(window.typed(), parent.typed())
        gtk_window_set_default_widget(window.typed(), share.widget)
        ask(sharing.begin())
        draw()
    }

    private func connect(_ blueprint: Blueprint) {
        blueprint.widget("close", as: Button.self).onClick { [weak self] in
            if let self { gtk_window_close(window.typed()) }
        }
        share.onClick { [weak self] in self?.shareNow() }
        everybody.onClick { [weak self] in self?.choose(nil) }
        search.on("changed") { [weak self] in
            guard let self else { return }
            if let question = sharing.type(search.text) { ask(question) }
            draw()
        }
        for (right, button) in rights {
            if let label = right.choice { gtk_check_button_set_label(button.typed(), label) }
            button.on("toggled") { [weak self, weak button] in
                if button?.isActive == true { self?.sharing.allow(right) }
            }
        }
    }

    func present() { gtk_window_present(window.typed()) }

    // MARK: What the person does

    /// Shares with somebody who was found, or by a link.
    func choose(_ recipient: SyncShareRecipient?) {
        sharing.choose(recipient)
        search.setText("")
        draw()
    }

    /// Begins to change a share.
    func edit(_ share: String) {
        sharing.edit(share)
        password.setText("")
        noPassword.isActive = false
        draw()
    }

    /// Puts a link into the clipboard.
    func copy(_ address: String) { gdk_clipboard_set_text(gtk_widget_get_clipboard(window.widget), address) }

    /// Ends a share.
    func end(_ share: String) {
        if let question = sharing.end(share) { ask(question) }
        draw()
    }

    private func shareNow() {
        let letters = password.secret.map { secret in
            // What follows the first byte of a character in UTF-8 is no further character.
            secret.withBytes { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
        }
        if let question = sharing.share(
            until: until.text, password: letters ?? 0, dropsPassword: noPassword.isActive)
        {
            ask(question)
        }
        draw()
    }

    private func ask(_ question: Sharing.Question) {
        let services = services
        // The password is read when it is used, and nowhere else.
        let secret = password.secret
        Task { [weak self] in
            let answer = await services.answer(question, secret: secret)
            guard let self else { return }
            switch answer {
            case .added, .changed: password.setText("")
            case .loaded, .found, .ended, .failed: break
            }
            if let next = sharing.answered(question, answer) { ask(next) }
            if case .added(let share) = answer, let address = share.address { copy(address) }
            draw()
        }
    }

    // MARK: Drawing

    private func draw() {
        noticeText.setClass("error", sharing.problem != nil)
        if let said = sharing.problem ?? sharing.newLink.map({ tr("The link was copied: {1}", $0) }) {
            noticeText.text = said
            notice.isRevealed = true
        } else {
            notice.isRevealed = false
        }
        spinner.isSpinning = sharing.isBusy
        share.isSensitive = sharing.isLoaded && !sharing.isBusy
        share.setLabel(sharing.verb)
        everybody.setLabel(sharing.otherVerb)
        choices.isVisible = sharing.isLoaded
        whom.text = sharing.whom
        everybody.isVisible = sharing.hasOther
        searchList.isVisible = sharing.hasPeople
        found.update(sharing.found.map { (key: [$0.kind.text, $0.with], content: $0) })
        foundList.isVisible = !sharing.found.isEmpty
        for (right, button) in rights {
            button.isVisible = sharing.rights.contains(right)
            let isActive = sharing.allowed == right
            if isActive, !button.isActive { button.isActive = true }
        }
        password.isVisible = sharing.hasPassword
        passwordHint.isVisible = sharing.hasPassword && sharing.edited?.hasPassword == true
        noPassword.isVisible = sharing.mayDropPassword
        demands.show(sharing.demands)
        let proposal = sharing.edited.map { "share \($0.id)" } ?? (sharing.isLink ? "link" : "people")
        if sharing.isLoaded, proposedFor != proposal {
            proposedFor = proposal
            until.setText(sharing.proposedEnd)
        }
        let rows = sharing.rows
        shares.update(rows.map { (key: $0.id, content: $0) })
        shared.isVisible = !rows.isEmpty
    }
}
