internal import NIOSSL
package import Remotes

/// The certificates that a person gave for a server, and where the passphrase of the key is found.
package struct GivenCertificates: Sendable {
    /// Reads the passphrase; nil if none is saved.
    package typealias Passphrase = @Sendable () async throws(LoginUnreadable) -> String?

    let files: ServerCertificates
    let passphrase: Passphrase

    package init(_ files: ServerCertificates, passphrase: @escaping Passphrase) {
        (self.files, self.passphrase) = (files, passphrase)
    }
}

extension RemoteLogins {
    /// The certificates for a server, by its origin; nil for none.
    func given(for server: String) -> GivenCertificates? {
        certificates(of: server).map { files in
            GivenCertificates(files) { () async throws(LoginUnreadable) in try await passphrase(ofKeyFor: server) }
        }
    }
}

/// How connections to a server are encrypted. The files of the person's certificates, and the passphrase of the key, are
/// read when the first connection needs them.
actor ServerEncryption {
    private let common: TLSConfiguration
    private let given: GivenCertificates?
    private var known: TLSConfiguration?

    /// - Parameter common: Without the person's certificates.
    init(_ common: TLSConfiguration, _ given: GivenCertificates?) { (self.common, self.given) = (common, given) }

    /// - Throws: `loginUnreadable` if the passphrase of the key cannot be read now.
    func configuration() async throws(DAVFailure) -> TLSConfiguration {
        if let known { return known }
        var tls = common
        if let given {
            var passphrase: String?
            if given.files.hasLockedKey {
                do throws(LoginUnreadable) {
                    passphrase = try await given.passphrase()
                } catch {
                    throw DAVFailure(.loginUnreadable)
                }
            }
            given.files.add(to: &tls, passphrase: passphrase.map { Array($0.utf8) })
        }
        known = tls
        return tls
    }
}
