/// Why a request failed.
package struct DAVFailure: Error, Hashable, Sendable {
    /// The kind of failure, which decides what to do about it.
    package enum Reason: Hashable, Sendable {
        /// The server cannot be reached, or closed the connection. It may or may not have made a change.
        case unreachable
        /// It did not respond in time. It may or may not have made a change.
        case silent
        /// The request was cancelled.
        case cancelled
        /// The server's certificate is not trusted.
        case untrusted
        /// It redirects to another place, which is not asked: the user must change the address.
        case movedElsewhere
        /// Credentials are missing or wrong (401).
        case loginNeeded
        /// The server refuses the credentials that were sent (401).
        case loginRefused
        /// Credentials are required, and saved ones cannot be read now.
        case loginUnreadable
        /// Not permitted (403).
        case denied
        /// Nothing is there (404, 410).
        case notFound
        /// The method does not apply to what is there (405): a collection that should be created already exists.
        case notAllowed
        /// The directory that should contain it does not exist (409).
        case conflict
        /// The condition does not hold (412).
        case conditionFailed
        /// A collection is not empty, but had to be.
        case notEmpty
        /// Another client has locked it (423).
        case locked
        /// No space, or over quota (507).
        case noSpace
        /// The server, or a proxy before it, takes no request of this size (413).
        case tooLarge
        /// Try again later (429, 503): after this many seconds, if the server says so.
        case throttled(seconds: Int64?)
        /// The response is unusable: malformed, truncated, about something else, or too large.
        case malformed
        /// Any other status.
        case refused
    }

    /// The kind of failure.
    package var reason: Reason
    /// The status of the response, if there was one.
    package var status: Int?
    /// What is wrong in particular.
    package enum Detail: Hashable, Sendable {
        /// No computer has the server's name, as far as this one knows.
        case unknownHost
        /// The certificate is for another name.
        case otherName
        /// It wants a certificate of the person's.
        case wantsCertificate
        /// The proxy before it refuses to reach it.
        case proxy
        /// The proxy before it wants a name and a password, or others than it was given.
        case proxyLogin
        /// Only a proxy leads to it that this program cannot use.
        case proxyUnusable
    }

    /// What is wrong in particular; nil if there is no more to say.
    package var detail: Detail?
    /// The proxy through which the server was to be reached, as an address without a name and a password; nil for none, or
    /// if the failure is not about the way to the server.
    package var proxy: String?

    /// What is wrong with the proxy itself; nil if that is not known.
    var proxyTrouble: ServerCode? {
        switch detail {
        case .proxy: .proxyRefuses
        case .proxyLogin: .proxyLogin
        case .proxyUnusable: .proxyUnusable
        case .unknownHost, .otherName, .wantsCertificate, nil: nil
        }
    }

    /// Whether a login is missing, wrong or cannot be read.
    package var isAboutLogin: Bool {
        reason == .loginNeeded || reason == .loginRefused || reason == .loginUnreadable
    }

    /// Whether the server may or may not have done what was requested.
    var isUndecided: Bool {
        switch reason {
        case .unreachable, .silent, .cancelled, .malformed: true
        // A proxy gave up; the server behind it may go on.
        case .refused where status == 502 || status == 504: true
        case .untrusted, .movedElsewhere, .loginNeeded, .loginRefused, .loginUnreadable, .denied, .notFound,
            .notAllowed,
            .conflict,
            .conditionFailed,
            .notEmpty, .locked, .noSpace, .tooLarge, .throttled, .refused:
            false
        }
    }

    /// A failure.
    package init(_ reason: Reason, status: Int? = nil) {
        self.reason = reason
        self.status = status
    }

    /// Converts an unsuccessful response.
    ///
    /// - Parameter retryAfter: The `Retry-After` header: seconds, or a date.
    init(status: Int, retryAfter: String?, now: Int64, year: Int) {
        let reason: Reason =
            switch status {
            case 300..<400: .movedElsewhere
            case 401: .loginNeeded
            case 403: .denied
            case 404, 410: .notFound
            case 405: .notAllowed
            case 409: .conflict
            case 412: .conditionFailed
            case 413: .tooLarge
            case 423: .locked
            case 507: .noSpace
            case 429, 503: .throttled(seconds: retryAfter.flatMap { Self.wait($0, now: now, year: year) })
            default: .refused
            }
        self.init(reason, status: status)
    }

    /// The longest wait that a server may request: a day. After that it is asked again in any case.
    private static let longestWait: Int64 = 86_400

    private static func wait(_ text: String, now: Int64, year: Int) -> Int64? {
        let digits = text.utf8.withoutBlanks()
        if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int64(text.filter(\.isNumber)) ?? longestWait, longestWait)
        }
        return HTTPDate.seconds(text, year: year).map { min(max($0 - now, 0), longestWait) }
    }
}
