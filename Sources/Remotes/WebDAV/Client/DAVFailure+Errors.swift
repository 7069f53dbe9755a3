internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Support

extension DAVFailure {
    /// Converts an error of the layers below.
    init(_ error: any Error) {
        switch error {
        case let failure as DAVFailure: self = failure
        case is MultistatusMistake: self.init(.malformed)
        case is CancellationError: self.init(.cancelled)
        case is Deadline.Passed: self.init(.silent)
        case let error where Self.isAboutOwnCertificate(error):
            self.init(.untrusted)
            detail = .wantsCertificate
        case let error as NIOSSLError: self.init(Self.reason(of: error))
        case is NIOSSLExtraError:
            self.init(.untrusted)
            detail = .otherName
        case let error as HTTPClientError where error == .proxyAuthenticationRequired:
            self.init(.unreachable)
            detail = .proxyLogin
        case let error as HTTPClientError where error == .invalidProxyResponse:
            self.init(.unreachable)
            detail = .proxy
        case let error as HTTPClientError: self.init(Self.reason(of: error))
        case let error as NIOConnectionError where error.connectionErrors.isEmpty && error.dnsAError != nil:
            self.init(.unreachable)
            detail = .unknownHost
        // A refused or broken connection.
        default: self.init(.unreachable)
        }
    }

    /// Whether the server says by an alert that it has no certificate of the person's that it takes. The alerts have no
    /// names of their own in Swift. Servers in Go, such as Caddy and rclone, send “bad certificate” to whoever shows none,
    /// most others “certificate required”.
    private static func isAboutOwnCertificate(_ error: any Error) -> Bool {
        let text = "\(error)"
        return text.contains("ALERT_CERTIFICATE_REQUIRED") || text.contains("SSLV3_ALERT_BAD_CERTIFICATE")
    }

    private static func reason(of error: NIOSSLError) -> Reason {
        switch error {
        case .handshakeFailed(.sslError), .noCertificateToValidate, .unableToValidateCertificate: .untrusted
        default: .unreachable
        }
    }

    private static func reason(of error: HTTPClientError) -> Reason {
        switch error {
        case .cancelled: .cancelled
        case .readTimeout, .writeTimeout, .deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            .silent
        case .bodyLengthMismatch: .malformed
        default: .unreachable
        }
    }
}
