internal import Client
internal import DBus
internal import RoundelBus
internal import Secrets
internal import SystemPackage
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
            case .setCertificates(let address, let files):
                try await keep(files, secret, at: address)
                return .certificatesKept
            case .logInOnPage(let remote): return .init(try await login(remote).logInOnPage(open))
            case .savePassword(let remote, let user): return .init(try await login(remote).save(secret, of: user))
            case .preview(let folder, let remote, let options):
                return .counted(try await remotes.preview(uri: folder.uri, remote: remote, options: options))
            case .add(let folder, let remote, let options):
                _ = try await folders.addFolder(uri: folder.uri, remote: remote, options: options)
                return .added
            }
        } catch {
            let sentence = Sentence.of(error)
            return (error as? DBusError)?.lack.map { .lacks($0, sentence) } ?? .failed(sentence)
        }
    }

    private func keep(_ files: CertificateFiles, _ passphrase: SecretBytes?, at address: String) async throws {
        var pipe: OwnedFileDescriptor?
        if passphrase != nil {
            try await SignIn(bus: bus).prepare()
            pipe = try SignIn.secretly { passphrase }
        }
        func path(_ part: CertificateFiles.Part) -> String? { files[part].map { $0.filePath.string } }
        try await remotes.setCertificates(
            at: address, authority: path(.authority), certificate: path(.certificate), key: path(.key), passphrase: pipe
        )
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

extension DBusError {
    /// What a server cannot be talked to without; nil for other errors.
    fileprivate var lack: CertificateFiles.Lack? {
        guard let code = roundelCode else { return nil }
        let lacks: [RoundelError.Code: CertificateFiles.Lack] = [
            .untrustedServer: .authority, .certificateNeeded: .certificate, .passphraseNeeded: .passphrase,
        ]
        return lacks[code]
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
