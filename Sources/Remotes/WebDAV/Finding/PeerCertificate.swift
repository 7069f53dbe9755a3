internal import CCrypto
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Support
internal import Synchronization

/// What the certificate of a server says that is not trusted, for a person who has to decide what to do.
struct PeerCertificate: Hashable, Sendable {
    /// Who signed it, as people call them; empty if it does not say.
    let issuer: String
    /// Whether nobody else signed it.
    let isOwn: Bool
    /// Whether it is valid today.
    let isCurrent: Bool

    /// Parses a certificate; nil for what is none.
    ///
    /// - Parameter bytes: In the form of DER.
    init?(_ bytes: [UInt8]) {
        let parsed = bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_X509(nil, &start, buffer.count)
        }
        guard let parsed, let issuer = X509_get_issuer_name(parsed), let subject = X509_get_subject_name(parsed) else {
            return nil
        }
        defer { X509_free(parsed) }
        self.issuer = [NID_organizationName, NID_commonName].lazy.compactMap { Self.text($0, in: issuer) }.first ?? ""
        isOwn = X509_NAME_cmp(issuer, subject) == 0
        isCurrent =
            X509_cmp_current_time(X509_get0_notBefore(parsed)) < 0
            && X509_cmp_current_time(X509_get0_notAfter(parsed)) > 0
    }

    /// A part of a name, if it can be shown.
    private static func text(_ part: Int32, in name: OpaquePointer) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard X509_NAME_get_text_by_NID(name, part, &bytes, Int32(bytes.count)) > 0 else { return nil }
        let text = String(validating: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.flatMap { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory.isShown } ? $0 : nil }
    }

    /// The certificate that a server shows; nil if it shows none. Nothing is sent there.
    static func shown(by location: ServerLocation) async -> PeerCertificate? {
        let found = Mutex<[UInt8]?>(nil)
        let seen = Seen(found: { bytes in found.withLock { $0 = bytes } })
        _ = try? await Deadline.run(Patience.Server.connection) {
            let context = try NIOSSLContext(configuration: .makeClientConfiguration())
            let isAddress = (try? SocketAddress(ipAddress: location.host, port: 0)) != nil
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let verify: NIOSSLCustomVerificationCallback = { certificates, promise in
                            if let bytes = try? certificates.first?.toDERBytes() { seen.found(bytes) }
                            promise.succeed(.failed)
                        }
                        let handler = try NIOSSLClientHandler(
                            context: context, serverHostname: isAddress ? nil : location.host,
                            customVerificationCallback: verify)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: location.host, port: location.port).get()
            try await channel.closeFuture.get()
        }
        return found.withLock { $0 }.flatMap { PeerCertificate($0) }
    }

    /// Who gets the bytes of the certificate.
    private struct Seen: Sendable {
        let found: @Sendable ([UInt8]) -> Void
    }
}

extension Unicode.GeneralCategory {
    /// Whether a character of this kind can be shown in a line.
    fileprivate var isShown: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case _: true
        }
    }
}
