internal import NIOSSL
package import Remotes

extension ServerCertificates {
    /// Why one of the files cannot be used.
    package enum Mistake: Error, Hashable, Sendable {
        /// It is missing, or holds no certificate. [its path]
        case noCertificate(String)
        /// It is missing, or holds no key that can be read without a passphrase. [its path]
        case noKey(String)
    }

    /// Reads the files. May block.
    package func check() throws(Mistake) {
        for path in [authority, certificate].compactMap(\.self) {
            guard let found = try? NIOSSLCertificate.fromPEMFile(path), !found.isEmpty else {
                throw .noCertificate(path)
            }
        }
        guard let certificate else { return }
        let path = key ?? certificate
        guard (try? Self.key(in: path)) != nil else { throw .noKey(path) }
    }

    /// Without the callback, the library would ask for a passphrase on the terminal.
    private static func key(in path: String) throws -> NIOSSLPrivateKey {
        try NIOSSLPrivateKey(file: path, format: .pem) { $0([] as [UInt8]) }
    }

    /// Has connections use them. A file that cannot be read any more is left out: then the server is not trusted, or
    /// refuses the connection.
    func add(to tls: inout TLSConfiguration) {
        if let authority, let found = try? NIOSSLCertificate.fromPEMFile(authority) {
            tls.additionalTrustRoots = [.certificates(found)]
        }
        if let certificate, let chain = try? NIOSSLCertificate.fromPEMFile(certificate),
            let own = try? Self.key(in: key ?? certificate)
        {
            tls.certificateChain = chain.map { .certificate($0) }
            tls.privateKey = .privateKey(own)
        }
    }
}
