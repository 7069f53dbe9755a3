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
        case let error where "\(error)".contains("CERTIFICATE_REQUIRED"):
            // The server's alert, which has no name of its own in Swift.
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
