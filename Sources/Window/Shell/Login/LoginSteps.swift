internal import CGtk4
internal import Secrets
internal import Support

/// What a person sees of a login: to log in on a server's page, or to type a password. For every window that logs in.
@Interface
final class LoginSteps {
    /// That a page was opened in the browser.
    let page: Widget
    /// Where a password is typed.
    let password: Widget
    private let pageText: Label
    private let passwordTitle: Label
    private let userRow: EntryRow
    private let passwordRow: EntryRow
    private let openPage: Button
    private let usePassword: Button

    init() {
        let blueprint = Blueprint("login-steps")
        (page, password) = (blueprint.widget("page"), blueprint.widget("password-step"))
        (pageText, passwordTitle) = (blueprint.widget("page-text"), blueprint.widget("password-title"))
        (userRow, passwordRow) = (blueprint.widget("user"), blueprint.widget("password"))
        (openPage, usePassword) = (blueprint.widget("open-page"), blueprint.widget("use-password"))
    }

    /// - Parameters:
    ///   - openPage: Opens the server's page again.
    ///   - usePassword: Takes a password instead.
    func connect(openPage: @escaping @Interface () -> Void, usePassword: @escaping @Interface () -> Void) {
        self.openPage.onClick(openPage)
        self.usePassword.onClick(usePassword)
    }

    /// Adds both steps to a stack, as `page` and `password`.
    func add(to stack: Stack) {
        stack.add(page, named: "page")
        stack.add(password, named: "password")
    }

    /// - Parameter user: Who logs in; nil if the person says so.
    func show(server: String, user: String?) {
        pageText.text = tr("The page of {1} was opened in your browser. Log in there, and come back.", server)
        passwordTitle.text = tr("Log In at {1}", server)
        userRow.isVisible = user == nil
    }

    /// The name that was typed.
    var user: String { userRow.text }

    /// Whether a password was typed.
    var hasPassword: Bool { !passwordRow.isEmpty }

    /// The password that was typed; nil for none.
    var secret: SecretBytes? { passwordRow.secret }

    /// Forgets the password that was typed.
    func forgetPassword() { passwordRow.setText("") }

    /// Puts the keyboard where something is to be typed.
    func grabFocus() { (userRow.isVisible ? userRow : passwordRow).grabFocus() }
}
