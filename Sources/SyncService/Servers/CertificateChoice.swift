internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import WebDAV

/// Keeps the certificates that a person gives for a server (SetCertificates).
struct CertificateChoice {
    let book: FolderBook
    let known: KnownCertificates
    let home: String
    let blocking: BlockingWork

    /// Carries out the call.
    func set(_ typed: String, _ options: VariantMap, _ call: MethodCall) throws(WorkerError) {
        let server = try origin(typed)
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
        let isBegun = blocking.run({ () -> ServerCertificates.Mistake? in
            do throws(ServerCertificates.Mistake) { try certificates.check() } catch { return error }
            return nil
        }) { mistake in
            do throws(WorkerError) {
                if let mistake { throw WorkerError(mistake) }
                try book.set(certificates, for: server)
            } catch {
                return call.fail(error.busError)
            }
            known.replace(with: book.certificates)
            call.reply { writer in
                try writer.append(server)
                try writer.appendNoExtras()
            }
        }
        guard isBegun else { throw .tooMuchWaits }
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
    fileprivate init(_ mistake: ServerCertificates.Mistake) {
        switch mistake {
        case .noCertificate(let path): self.init(.failed, tr("There is no certificate in “{1}”.", path))
        case .noKey(let path):
            self.init(
                .failed,
                tr(
                    """
                    There is no key in “{1}” that can be read without a passphrase. Give one without, which only you can \
                    read.
                    """, path))
        }
    }
}
