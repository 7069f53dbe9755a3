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
            case .logInOnPage(let remote): return .init(try await login(remote).logInOnPage(open))
            case .savePassword(let remote, let user): return .init(try await login(remote).save(secret, of: user))
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

    private func login(_ remote: String) throws -> LoginServices {
        LoginServices(bus: bus, LoginRemote(address: remote, account: try RemoteAccount(remote: remote)))
    }
}

extension Addition.Answer {
    fileprivate init(_ answer: SigningIn.Answer) {
        self =
            switch answer {
            case .loggedIn: .loggedIn
            case .hasNoPage: .hasNoPage
            case .failed(let sentence): .failed(sentence)
            }
    }
}
