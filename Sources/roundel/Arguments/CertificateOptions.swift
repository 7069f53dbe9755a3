import ArgumentParser
import Client
import DBus
import RoundelBus
import Support
import SystemPackage

/// Files with certificates for a server.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            tr("Trust the certificate authorities in this file for the server, as a company has one of its own."),
            valueName: "file"), completion: .file())
    var authority: String?

    @Option(
        help: ArgumentHelp(tr("Your own certificate, for a server that wants one."), valueName: "file"),
        completion: .file())
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            tr("The key of your certificate, if it is not in the same file. Its passphrase is asked for."),
            valueName: "file"),
        completion: .file())
    var key: String?

    func validate() throws {
        if key != nil, certificate == nil { throw ValidationError(tr("--key needs --certificate.")) }
    }

    /// Has the worker keep them for a server, if there are any. On a terminal the passphrase of a key that has one is asked
    /// for.
    func set(at address: String, _ bus: AsyncConnection) async throws {
        guard authority != nil || certificate != nil else { return }
        var passphrase: OwnedFileDescriptor?
        for attempt in 0... {
            do {
                return try await set(at: address, passphrase, bus)
            } catch let error as DBusError
                where error.roundelCode == .passphraseNeeded && PasswordInput.isTerminal && attempt < Self.attempts
            {
                if attempt > 0 { Console.complain(error.message) }
                passphrase = try await ask(bus)
            }
        }
    }

    /// How often the passphrase is asked for.
    private static let attempts = 3

    private func set(at address: String, _ passphrase: OwnedFileDescriptor?, _ bus: AsyncConnection) async throws {
        func path(_ text: String?) throws -> String? { try text.map { try ItemArgument.parse($0).uri.filePath.string } }
        try await RemotesProxy(bus: bus).setCertificates(
            at: address, authority: try path(authority), certificate: try path(certificate), key: try path(key),
            passphrase: passphrase)
    }

    private func ask(_ bus: AsyncConnection) async throws -> OwnedFileDescriptor {
        try await SignIn(bus: bus).prepare()
        let file = DisplayText.escaped(key ?? certificate ?? "")
        let typed = try SignIn.secretly {
            try PasswordInput.password(prompt: tr("Passphrase of the key in {1}: ", file))
        }
        guard let typed else { throw CommandFailure(PasswordInput.noPassword) }
        return typed
    }
}
