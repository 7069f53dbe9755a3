import ArgumentParser
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
        help: ArgumentHelp(tr("The key of your certificate, if it is not in the same file."), valueName: "file"),
        completion: .file())
    var key: String?

    func validate() throws {
        if key != nil, certificate == nil { throw ValidationError(tr("--key needs --certificate.")) }
    }

    /// Has the worker keep them for a server, if there are any.
    func set(at address: String, _ bus: AsyncConnection) async throws {
        guard authority != nil || certificate != nil else { return }
        func path(_ text: String?) throws -> String? { try text.map { try ItemArgument.parse($0).uri.filePath.string } }
        try await RemotesProxy(bus: bus).setCertificates(
            at: address, authority: try path(authority), certificate: try path(certificate), key: try path(key))
    }
}
