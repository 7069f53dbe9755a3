internal import Client
internal import DBus
internal import RoundelBus
internal import Secrets
internal import WindowModel

/// Asks the services what an ``Addition`` has to know.
struct AdditionServices: Sendable {
    private let bus: AsyncConnection
    private let remotes: RemotesProxy
    private let folders: FoldersProxy

    /// The services on this bus.
    init(bus: AsyncConnection) {
        self.bus = bus
        remotes = RemotesProxy(bus: bus)
        folders = FoldersProxy(bus: bus)
    }

    /// Asks a question to its end.
    /// - Parameters:
    ///   - secret: The password that was typed; nil if there is none.
    ///   - open: Shows a page of a server to the person.
    func answer(
        _ question: Addition.Question, secret: SecretBytes?, open: @escaping @Interface (String) -> Void
    ) async -> Addition.Answer {
        do {
            switch question {
            case .find(let address): return .found(try await remotes.find(address))
            case .logInOnPage(let remote): return try await logInOnPage(of: remote, open)
            case .savePassword(let remote, let user): return try await save(secret, of: user, at: remote)
            case .preview(let folder, let remote, let options):
                return .counted(try await remotes.preview(uri: folder.uri, remote: remote, options: options))
            case .add(let folder, let remote, let options):
                _ = try await folders.addFolder(uri: folder.uri, remote: remote, options: options)
                return .added
            }
        } catch {
            return .failed(Sentence.of(error))
        }
    }

    /// The directories in a directory of a remote.
    func directories(
        of remote: String, in path: String
    ) async throws -> (directories: [SyncRemoteDirectory], hasMore: Bool) {
        try await remotes.directories(of: remote, in: path)
    }

    private func logInOnPage(
        of remote: String, _ open: @escaping @Interface (String) -> Void
    ) async throws -> Addition.Answer {
        let signIn = SignIn(bus: bus)
        try await signIn.prepare()
        let login = try login(remote)
        switch try await signIn.step(for: login) {
        case .password: return .hasNoPage
        case .page(let page):
            await open(page.address)
            _ = try await signIn.finish(page, at: login)
            return .loggedIn
        }
    }

    private func save(_ secret: SecretBytes?, of user: String, at remote: String) async throws -> Addition.Answer {
        let signIn = SignIn(bus: bus)
        try await signIn.prepare()
        guard let password = try SignIn.secretly({ secret }) else { return .failed("") }
        let (_, untried) = try await signIn.finish(password, of: user, at: try login(remote))
        return untried.map { .failed($0) } ?? .loggedIn
    }

    private func login(_ remote: String) throws -> LoginRemote {
        LoginRemote(address: remote, account: try RemoteAccount(remote: remote))
    }
}
