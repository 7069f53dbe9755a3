internal import Client
internal import DBus
internal import RoundelBus
internal import Secrets
internal import WindowModel

/// Has a person logged in at a remote, over an engine's accounts.
struct LoginServices: Sendable {
    private let bus: AsyncConnection
    private let remote: LoginRemote

    /// The login at a remote.
    init(bus: AsyncConnection, _ remote: LoginRemote) { (self.bus, self.remote) = (bus, remote) }

    /// Logs in on a page of the server.
    /// - Parameter open: Shows the page to the person.
    func logInOnPage(_ open: @escaping @Interface (String) -> Void) async -> SigningIn.Answer {
        await answering {
            let signIn = SignIn(bus: bus)
            try await signIn.prepare()
            switch try await signIn.step(for: remote) {
            case .password: return .hasNoPage
            case .page(let page):
                await open(page.address)
                return .loggedIn(user: try await signIn.finish(page, at: remote).user ?? "")
            }
        }
    }

    /// Tries a password, and saves it.
    func save(_ secret: SecretBytes?, of user: String) async -> SigningIn.Answer {
        await answering {
            let signIn = SignIn(bus: bus)
            try await signIn.prepare()
            guard let password = try SignIn.secretly({ secret }) else { return .failed("") }
            let (_, untried) = try await signIn.finish(password, of: user, at: remote)
            return untried.map { .failed($0) } ?? .loggedIn(user: user)
        }
    }

    private func answering(_ work: () async throws -> SigningIn.Answer) async -> SigningIn.Answer {
        do { return try await work() } catch { return .failed(Sentence.of(error)) }
    }
}
