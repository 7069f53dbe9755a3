internal import DBus
internal import Remotes
internal import RoundelBus
internal import Secrets
internal import Support
internal import SystemPackage
internal import WebDAV

/// Keeps the certificates that a person gives for a server (SetCertificates).
struct CertificateChoice {
    let book: FolderBook
    let saved: SavedLogins
    let home: String
    let blocking: BlockingWork

    /// What a call gives, and for which server.
    private struct Gift {
        let server: String
        let certificates: ServerCertificates
        let call: MethodCall
    }

    /// The passphrase of the key, and who has it.
    private enum Passphrase {
        case none
        case typed(SecretBytes)
        case saved(String)

        var bytes: [UInt8]? {
            switch self {
            case .none: nil
            case .typed(let secret): secret.withBytes { Array($0) }
            case .saved(let text): Array(text.utf8)
            }
        }
    }

    /// Carries out the call.
    func set(_ typed: String, _ options: VariantMap, _ call: MethodCall) throws(WorkerError) {
        let gift = Gift(server: try origin(typed), certificates: try certificates(options), call: call)
        guard let value = options["passphrase"] else { return check(gift, .none) }
        guard case .fileDescriptor(let pipe) = value else {
            throw WorkerError(.invalidArguments, SecretStoreError.unusable.sentence)
        }
        let isBegun = blocking.run({ () -> Result<SecretBytes, any Error> in
            Result {
                let secret = try SecretPipe.read(
                    pipe, longest: StoredLogin.longestPassword, within: Patience.Worker.password)
                guard ClientKey.login(secret).isUsable else { throw SecretStoreError.unusable }
                return secret
            }
        }) { read in
            switch read {
            case .success(let secret): check(gift, .typed(secret))
            case .failure(let error): call.fail(WorkerError(readingPassword: error).busError)
            }
        }
        guard isBegun else { throw .tooMuchWaits }
    }

    private func certificates(_ options: VariantMap) throws(WorkerError) -> ServerCertificates {
        func path(_ key: String) throws(WorkerError) -> String? {
            guard let path = options.string(key), !path.isEmpty else { return nil }
            guard path.hasPrefix("/") else {
                throw WorkerError(.invalidArguments, tr("“{1}” is not the whole path of a file.", path))
            }
            return path
        }
        let certificates = ServerCertificates(
            authority: try path("authority"), certificate: try path("certificate"), key: try path("key"))
        if certificates.key != nil, certificates.certificate == nil {
            throw WorkerError(.invalidArguments, tr("A key is of no use without its certificate."))
        }
        return certificates
    }

    private func check(_ gift: Gift, _ passphrase: Passphrase) {
        let (certificates, bytes) = (gift.certificates, passphrase.bytes)
        let isBegun = blocking.run({ () -> ServerCertificates.Mistake? in
            do throws(ServerCertificates.Mistake) {
                try certificates.check(passphrase: bytes)
                return nil
            } catch {
                return error
            }
        }) { mistake in
            switch (mistake, passphrase) {
            case (.lockedKey?, .none): checkWithSaved(gift)
            case (let mistake?, _): gift.call.fail(WorkerError(mistake, isTried: bytes != nil).busError)
            case (nil, _): save(gift, passphrase)
            }
        }
        if !isBegun { gift.call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// The person may have given the passphrase before.
    private func checkWithSaved(_ gift: Gift) {
        let isBegun = blocking.ask { [saved, server = gift.server] in
            (try? await saved.passphrase(ofKeyFor: server)) ?? nil
        } answer: { passphrase in
            if let passphrase { return check(gift, .saved(passphrase)) }
            let path = gift.certificates.key ?? gift.certificates.certificate ?? ""
            gift.call.fail(WorkerError(.lockedKey(path), isTried: false).busError)
        }
        if !isBegun { gift.call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// Saves the passphrase, then the certificates.
    private func save(_ gift: Gift, _ passphrase: Passphrase) {
        let isBegun = blocking.ask { [saved, server = gift.server] () -> SecretStoreError? in
            switch passphrase {
            case .typed(let secret):
                do throws(SecretStoreError) {
                    try await saved.save(passphrase: secret, ofKeyFor: server)
                } catch {
                    return error
                }
            case .saved: break
            case .none: await saved.forgetPassphrase(ofKeyFor: server)
            }
            return nil
        } answer: { failure in
            if let failure { return gift.call.fail(WorkerError(.failed, failure.sentence).busError) }
            keep(gift)
        }
        if !isBegun { gift.call.fail(WorkerError.tooMuchWaits.busError) }
    }

    private func keep(_ gift: Gift) {
        do throws(WorkerError) {
            try book.set(gift.certificates, for: gift.server)
        } catch {
            return gift.call.fail(error.busError)
        }
        saved.certificates.replace(with: book.certificates)
        gift.call.reply { writer in
            try writer.append(gift.server)
            try writer.appendNoExtras()
        }
    }

    private func origin(_ typed: String) throws(WorkerError) -> String {
        guard case .server(let address) = TypedAddress(typed, home: home), address.scheme != .http else {
            throw WorkerError(.invalidRemote, tr("Certificates are for the https:// address of a server."))
        }
        let port = address.port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? ""
        return "https://" + address.host + port
    }
}

extension WorkerError {
    /// - Parameter isTried: Whether a passphrase was tried.
    fileprivate init(_ mistake: ServerCertificates.Mistake, isTried: Bool) {
        func shown(_ path: String) -> String { (try? ItemURI(path: FilePath(path)))?.sentencePath ?? path }
        switch mistake {
        case .noCertificate(let path): self.init(.failed, tr("There is no certificate in “{1}”.", shown(path)))
        case .noKey(let path): self.init(.failed, tr("There is no key in “{1}”.", shown(path)))
        case .lockedKey(let path):
            self.init(
                .passphraseNeeded,
                isTried
                    ? tr("The key in “{1}” has another passphrase. Type it again.", shown(path))
                    : tr("The key in “{1}” has a passphrase. Type it; it is kept in your keyring.", shown(path)))
        }
    }
}
