/// Why a request to rclone failed.
package struct RcloneFailure: Error, Hashable, Sendable {
    /// The kind of failure, which decides what to do about it.
    package enum Reason: Hashable, Sendable {
        /// rclone is not installed.
        case noProgram
        /// It ended before it accepted requests: its configuration may be encrypted or damaged.
        case notStarted
        /// It ended during a request. It may or may not have made a change.
        case ended
        /// It did not respond in time. It may or may not have made a change.
        case silent
        /// The request was cancelled.
        case cancelled
        /// No remote has this name.
        case notConfigured
        /// The service requires a login, or rejects the one that rclone has.
        case loginNeeded
        /// The service cannot be reached.
        case unreachable
        /// Its certificate is not trusted.
        case untrusted
        /// The service asks to wait.
        case busy
        case denied
        case notFound
        /// A file is where a directory should be.
        case notDirectory
        case notEmpty
        case noSpace
        /// Something other than the expected version is there.
        case changed
        /// Something is already there.
        case taken
        /// An item is there whose name differs only in case.
        case nameClash
        /// The response is unusable: truncated, or about something else.
        case malformed
        /// Anything else.
        case refused
    }

    /// The kind of failure.
    package var reason: Reason
    /// The status of the response, if there was one.
    package var status: Int?

    /// A failure.
    package init(_ reason: Reason, status: Int? = nil) {
        self.reason = reason
        self.status = status
    }

    /// Whether the request may or may not have been carried out.
    var isUndecided: Bool {
        switch reason {
        case .ended, .silent, .cancelled, .malformed, .unreachable, .refused: true
        case .noProgram, .notStarted, .notConfigured, .loginNeeded, .untrusted, .busy, .denied, .notFound,
            .notDirectory, .notEmpty, .noSpace, .changed, .taken, .nameClash:
            false
        }
    }

    /// Converts an unsuccessful response. rclone passes on the services' messages as text, and uses one status for
    /// nearly all kinds of failures. Unrecognised failures are just retried.
    ///
    /// - Parameter asked: The texts of the request. The response repeats them, but a name says nothing about the
    ///   failure.
    init(status: Int, error: String, asked: [String]) {
        var text = error
        for part in asked.sorted(by: { $0.count > $1.count }) where part.count > 1 {
            text = Self.removing(part, from: text)
        }
        text = text.lowercased()
        let found = Self.signs.first { sign in sign.texts.contains { text.contains($0) } }?.reason
        self.init(status == 404 ? .notFound : found ?? .refused, status: status)
    }

    private static func removing(_ part: String, from text: String) -> String {
        var (result, rest) = ("", text[...])
        while let place = rest.firstRange(of: part) {
            result += rest[..<place.lowerBound]
            rest = rest[place.upperBound...]
        }
        return result + rest
    }

    /// The texts to look for, the more specific first.
    private static let signs: [(reason: Reason, texts: [String])] = [
        (.notConfigured, ["didn't find section in config file", "didn't find backend called"]),
        (.notDirectory, ["is a file not a directory", "not a directory"]),
        (.notEmpty, ["directory not empty"]),
        (
            .loginNeeded,
            [
                "unable to authenticate", "invalid_grant", "couldn't fetch token", "token expired", "empty token found",
                "unauthorized", "401 ", "invalidaccesskeyid", "signaturedoesnotmatch", "password is incorrect",
            ]
        ),
        (.untrusted, ["x509:", "knownhosts:", "host key"]),
        (.busy, ["429", "too many requests", "rate limit", "ratelimit", "slowdown", "service unavailable"]),
        (
            .noSpace,
            ["no space left", "quota", "insufficient storage", "insufficient space", "storage limit", "disk full"]
        ),
        (.denied, ["permission denied", "access denied", "accessdenied", "forbidden", "read-only file system"]),
        (
            .unreachable,
            [
                "connection refused", "no such host", "i/o timeout", "network is unreachable", "no route to host",
                "couldn't connect", "connection reset", "connection lost", "broken pipe", "dial tcp", "timeout",
            ]
        ),
        (.notFound, ["no such file or directory", "directory not found", "object not found"]),
        (.cancelled, ["context canceled"]),
    ]
}
