internal import CGtk4
internal import Client
internal import DBus
internal import RoundelBus
internal import Secrets
internal import Support
internal import WindowModel

/// Logs a person in at the server of a folder that they have: draws a ``SigningIn``, and has its questions asked.
@Interface
final class LoginWindow {
    private let window: Widget
    private let steps: Stack
    private let login = LoginSteps()
    private let notice: Revealer
    private let noticeText: Label
    private let spinner: Spinner
    private let logIn: Button
    private let services: LoginServices
    private let ended: @Interface (Bool) -> Void
    private var signingIn: SigningIn
    private var shownStep: SigningIn.Step?
    private var asking: Task<Void, Never>?

    /// - Parameters:
    ///   - parent: The window that it is in front of.
    ///   - ended: Called when it closes, with whether a login was saved.
    init(
        over parent: Widget, bus: AsyncConnection, _ remote: LoginRemote, ended: @escaping @Interface (Bool) -> Void
    ) {
        self.ended = ended
        services = LoginServices(bus: bus, remote)
        signingIn = SigningIn(server: remote.account.server, user: remote.account.user)
        let blueprint = Blueprint("login")
        (window, steps) = (blueprint.widget("window"), blueprint.widget("steps"))
        (notice, noticeText) = (blueprint.widget("notice"), blueprint.widget("notice-text"))
        (spinner, logIn) = (blueprint.widget("spinner"), blueprint.widget("log-in"))
        login.add(to: steps)
        login.show(server: signingIn.server, user: signingIn.user)
        login.connect { [weak self] in
            self?.change { $0.openPage() }
        } usePassword: { [weak self] in
            self?.asking?.cancel()
            self?.change { signingIn in
                signingIn.usePassword()
                return nil
            }
        }
        logIn.onClick { [weak self] in
            guard let self else { return }
            change { [name = login.user, hasPassword = login.hasPassword] in
                $0.logIn(user: name, hasPassword: hasPassword)
            }
        }
        let closes = window
        blueprint.widget("cancel", as: Button.self).onClick { [weak closes] in
            if let closes { gtk_window_close(closes.typed()) }
        }
        window.on("close-request") { [weak self] in
            guard let self else { return }
            asking?.cancel()
            login.forgetPassword()
            ended(signingIn.step == .done)
        }
        gtk_window_set_transient_for(window.typed(), parent.typed())
        change { $0.openPage() }
    }

    func present() { gtk_window_present(window.typed()) }

    private func change(_ act: (inout SigningIn) -> (Int, SigningIn.Question)?) {
        let question = act(&signingIn)
        draw()
        if let question { ask(question) }
    }

    private func ask(_ question: (Int, SigningIn.Question)) {
        let (number, question) = question
        let services = services
        // The password is read when it is used, and nowhere else.
        let secret = login.secret
        asking?.cancel()
        asking = Task { [weak self] in
            let answer =
                switch question {
                case .page: await services.logInOnPage { [weak self] page in self?.open(page, number) }
                case .password(let user): await services.save(secret, of: user)
                }
            guard let self, !Task.isCancelled else { return }
            change { signingIn in
                signingIn.answered(number, answer)
                return nil
            }
        }
    }

    private func open(_ page: String, _ number: Int) {
        gtk_show_uri(window.typed(), page, guint32(GDK_CURRENT_TIME))
        change { signingIn in
            signingIn.pageOpened(number)
            return nil
        }
    }

    private func draw() {
        let said = signingIn.problem ?? signingIn.work
        if let said { noticeText.text = said }
        noticeText.setClass("error", signingIn.problem != nil)
        noticeText.setClass("dim-label", signingIn.problem == nil)
        notice.isRevealed = said != nil
        spinner.isSpinning = signingIn.isBusy
        logIn.isVisible = signingIn.step == .password
        logIn.isSensitive = !signingIn.isBusy
        guard signingIn.step != shownStep else { return }
        shownStep = signingIn.step
        gtk_window_set_default_widget(window.typed(), signingIn.step == .password ? logIn.widget : nil)
        switch signingIn.step {
        case .looking: steps.page = "looking"
        case .page: steps.page = "page"
        case .password:
            steps.page = "password"
            login.grabFocus()
        case .done: gtk_window_close(window.typed())
        }
    }
}
