import Client
import DBus
import Glibc
import RoundelBus
import Secrets
import Setup
import Support

/// Logs the user in at a server, at a terminal or with what the standard input says.
struct LoginDialog: Sendable {
    private let signIn: SignIn
    /// Whether to use a page of the server if it has one.
    private let takesPages: Bool

    init(bus: AsyncConnection, takesPages: Bool = true) {
        signIn = SignIn(bus: bus)
        self.takesPages = takesPages
    }

    /// Whether the user can be asked.
    static var isPossible: Bool { PasswordInput.isTerminal }

    /// Lets the user log in, or reads the standard input if that is not a terminal. Has the login saved and returns the
    /// account with its user.
    /// - Throws: ``CommandFailure``, and the errors of `SignIn`.
    func run(for remote: LoginRemote) async throws -> RemoteAccount {
        try await signIn.prepare()
        guard PasswordInput.isTerminal else {
            if let password = try SignIn.secretly({ try PasswordInput.line() }) {
                guard let user = remote.account.user else {
                    throw CommandFailure(
                        tr(
                            "Whose password is it? Name the user in the address: webdav+https://USER@HOST/PATH"),
                        status: .usage)
                }
                return try await save(password, of: user, for: remote)
            }
            guard let account = try await logInOnPage(of: remote) else {
                throw CommandFailure(PasswordInput.noPassword)
            }
            return account
        }
        if let account = try await logInOnPage(of: remote) { return account }
        let server = DisplayText.escaped(remote.account.server)
        let user = try remote.account.user ?? PasswordInput.user(prompt: tr("User name at {1}: ", server))
        let prompt = tr("Password of {1} at {2}: ", DisplayText.escaped(user), server)
        guard let password = try SignIn.secretly({ try PasswordInput.password(prompt: prompt) }) else {
            throw CommandFailure(PasswordInput.noPassword)
        }
        return try await save(password, of: user, for: remote)
    }

    private func save(
        _ password: OwnedFileDescriptor, of user: String, for remote: LoginRemote
    ) async throws -> RemoteAccount {
        let (account, untried): (RemoteAccount, String?)
        do {
            (account, untried) = try await signIn.finish(password, of: user, at: remote)
        } catch let error as DBusError where error.roundelCode == .loginNeeded {
            // Who is logging in knows how to.
            throw AdvisedError(error, nil)
        }
        if let untried { Console.complain(tr("The password is saved, but could not be tried: {1}", untried)) }
        return account
    }

    /// Shows the server's page to the user and waits; nil if there is no page.
    private func logInOnPage(of remote: LoginRemote) async throws -> RemoteAccount? {
        guard case .page(let page) = try await signIn.step(for: remote, takesPages: takesPages) else { return nil }
        Console.ask(
            DisplayText.escaped(
                tr(
                    "Log in at {1} on this page, which waits for twenty minutes: {2}", remote.account.server,
                    page.address)) + "\n")
        if Self.hasDesktop { _ = ChildProgram.start(["xdg-open", page.address]) }
        return try await signIn.finish(page, at: remote)
    }

    /// Whether the user can see a page opened here: not from another computer.
    private static var hasDesktop: Bool {
        let isSet: (String) -> Bool = { name in getenv(name).map { $0[0] != 0 } ?? false }
        return PasswordInput.isTerminal && (isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")) && !isSet("SSH_CONNECTION")
    }
}
