internal import NIOSSL
package import Remotes
internal import Support
internal import SystemPackage

extension ServerCertificates {
    /// Why one of the files cannot be used.
    package enum Mistake: Error, Hashable, Sendable {
        /// It is missing, or holds no certificate. [its path]
        case noCertificate(String)
        /// It is missing, or holds no key. [its path]
        case noKey(String)
        /// The key has a passphrase, which is missing or another one. [its path]
        case lockedKey(String)
    }

    /// Reads the files. May block.
    ///
    /// - Parameter passphrase: That of the key; nil for none.
    package func check(passphrase: [UInt8]? = nil) throws(Mistake) {
        for path in [authority, certificate].compactMap(\.self) {
            guard let found = try? NIOSSLCertificate.fromPEMFile(path), !found.isEmpty else {
                throw .noCertificate(path)
            }
        }
        guard let path = keyPath, (try? Self.key(in: path, passphrase)) == nil else { return }
        throw Self.isLocked(path) ? .lockedKey(path) : .noKey(path)
    }

    /// Whether there is a key that has a passphrase. May block.
    package var hasLockedKey: Bool { keyPath.map { Self.isLocked($0) } ?? false }

    private var keyPath: String? { certificate.map { key ?? $0 } }

    /// No key has more bytes, with its certificates.
    private static let longestKey = 1 << 20

    /// By the lines in which PEM says so (RFC 7468, section 11; RFC 1421, section 4.6.1.1).
    private static func isLocked(_ path: String) -> Bool {
        let bytes = (try? SmallFile.read(FilePath(path), limit: longestKey)) ?? nil
        return bytes.map { String(decoding: $0, as: UTF8.self) }?.split(whereSeparator: \.isNewline).contains {
            $0.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----") || $0.hasPrefix("Proc-Type: 4,ENCRYPTED")
        } ?? false
    }

    /// Without the callback, the library would ask for a passphrase on the terminal.
    private static func key(in path: String, _ passphrase: [UInt8]?) throws -> NIOSSLPrivateKey {
        try NIOSSLPrivateKey(file: path, format: .pem) { $0(passphrase ?? []) }
    }

    /// Has connections use them. A file that cannot be read any more, or without the passphrase, is left out: then the
    /// server is not trusted, or refuses the connection.
    func add(to tls: inout TLSConfiguration, passphrase: [UInt8]?) {
        if let authority, let found = try? NIOSSLCertificate.fromPEMFile(authority) {
            tls.additionalTrustRoots = [.certificates(found)]
        }
        if let certificate, let keyPath, let chain = try? NIOSSLCertificate.fromPEMFile(certificate),
            let own = try? Self.key(in: keyPath, passphrase)
        {
            tls.certificateChain = chain.map { .certificate($0) }
            tls.privateKey = .privateKey(own)
        }
    }
}
