import Glibc
import NIOSSL
import RemoteSupport
import Remotes
import SyncCore
import SystemPackage
import TestSupport
import Testing
import WebDAV

/// Encrypted connections go to whoever has a certificate that is trusted, and to nobody else.
struct CertificateTests {
    private static let openssl = "/usr/bin/openssl"

    /// A server with a certificate that it signed itself, for this computer's address or another name. It would rather speak
    /// HTTP/2, and does not know how.
    private final class Server {
        let address: String
        let certificate: String
        private let directory: TemporaryDirectory
        private let program: RunningProgram
        /// Keeps the port from being given to another test before the server has it.
        private let reserved: Int32

        init(for subject: String) throws {
            directory = try TemporaryDirectory()
            let place = directory.path.string
            certificate = place + "/certificate"
            let made = try RunningProgram(
                [
                    CertificateTests.openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-keyout", place + "/key", "-out", certificate, "-days", "2", "-subj", "/CN=test",
                    "-addext", "subjectAltName=\(subject)",
                ], environment: RunningProgram.inheritedEnvironment
            ).finish()
            guard made.status == 0 else { throw Failure("openssl: \(made.errors)") }
            let (descriptor, port) = try Loopback.bound()
            reserved = descriptor
            address = "https://127.0.0.1:\(port)/"
            program = try RunningProgram(
                [
                    CertificateTests.openssl, "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-www", "-cert",
                    certificate, "-key", place + "/key", "-alpn", "h2,http/1.1",
                ], environment: RunningProgram.inheritedEnvironment)
            try Loopback.waitForServer(program, on: port)
        }

        deinit {
            program.kill()
            close(reserved)
        }
    }

    private func reason(_ server: Server, trusting file: String?) async throws -> DAVFailure.Reason? {
        let client = DAVClient(
            try ServerLocation(server.address), credentials: Credentials(user: "user", password: "secret"),
            trust: file.map { .file($0) } ?? .default, limits: .patient, clock: { Int64(time(nil)) })
        var reason: DAVFailure.Reason?
        do throws(DAVFailure) {
            _ = try await client.read(.root, expecting: nil) { _ in }
        } catch { reason = error.reason }
        await client.shutDown()
        return reason
    }

    @Test(.enabled(if: access(openssl, X_OK) == 0, "needs the program openssl"))
    func trust() async throws {
        let server = try Server(for: "IP:127.0.0.1")
        #expect(try await reason(server, trusting: nil) == .untrusted)
        #expect(try await reason(server, trusting: server.certificate) == nil)
        let other = try Server(for: "DNS:other.example")
        #expect(try await reason(other, trusting: other.certificate) == .untrusted)
    }

    // MARK: A certificate of the person's

    @Test(
        "Who is told that it showed no certificate, or a bad one, knows that the server wants one",
        arguments: [(116, .wantsCertificate), (42, .wantsCertificate), (80, nil)] as [(UInt8, DAVFailure.Detail?)])
    func alert(number: UInt8, detail: DAVFailure.Detail?) async throws {
        let server = try AlertingServer(number)
        let client = DAVClient(
            try ServerLocation(server.address), credentials: nil, limits: .patient, clock: { Int64(time(nil)) })
        var failure: DAVFailure?
        do throws(DAVFailure) {
            _ = try await client.read(.root, expecting: nil) { _ in }
        } catch { failure = error }
        await client.shutDown()
        #expect(failure != nil && failure?.detail == detail)
    }

    private func make(_ arguments: String...) throws {
        let made = try RunningProgram([Self.openssl] + arguments, environment: RunningProgram.inheritedEnvironment)
            .finish()
        guard made.status == 0 else { throw Failure("openssl: \(made.errors)") }
    }

    private func mistake(_ files: ServerCertificates, _ passphrase: String?) -> ServerCertificates.Mistake? {
        do throws(ServerCertificates.Mistake) {
            try files.check(passphrase: passphrase.map { Array($0.utf8) })
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A key with a passphrase is known as such, and is of use with the right one alone",
        .enabled(if: access(openssl, X_OK) == 0, "needs the program openssl"),
        arguments: [[], ["-traditional"]] as [[String]])
    func passphrase(form: [String]) throws {
        let directory = try TemporaryDirectory()
        let place = directory.path.string
        try make(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", place + "/plain", "-out",
            place + "/certificate", "-days", "2", "-subj", "/CN=eva")
        try directory.write("correct horse\n", to: "words")
        let made = try RunningProgram(
            [
                Self.openssl, "rsa", "-in", place + "/plain", "-aes256", "-passout", "file:" + place + "/words", "-out",
                place + "/locked",
            ] + form, environment: RunningProgram.inheritedEnvironment
        ).finish()
        try #require(made.status == 0, "\(made.errors)")
        let locked = ServerCertificates(certificate: place + "/certificate", key: place + "/locked")
        #expect(locked.hasLockedKey)
        #expect(mistake(locked, nil) == .lockedKey(place + "/locked"))
        #expect(mistake(locked, "wrong") == .lockedKey(place + "/locked"))
        #expect(mistake(locked, "correct horse") == nil)
        let plain = ServerCertificates(certificate: place + "/certificate", key: place + "/plain")
        #expect(!plain.hasLockedKey && mistake(plain, nil) == nil && mistake(plain, "any") == nil)
        let none = ServerCertificates(certificate: place + "/certificate")
        #expect(!none.hasLockedKey && mistake(none, nil) == .noKey(place + "/certificate"))
    }
}
