/// Why rclone did not do what it was to do.
package struct RcloneFailure: Error, Hashable, Sendable {
    /// What has to be done about it.
    package enum Reason: Hashable, Sendable {
        /// rclone is not installed.
        case noProgram
        /// It ended before it could be asked: its configuration may be encrypted, or damaged.
        case notStarted
        /// It ended while it was asked. Whether a change was made is not known.
        case ended
        /// It did not answer in time. Whether a change was made is not known.
        case silent
        /// The request was cancelled.
        case cancelled
        /// No remote has this name.
        case notConfigured
        /// The service wants a login, or another one than rclone has.
        case loginNeeded
        /// The service cannot be reached.
        case unreachable
        /// Its certificate is not trusted.
        case untrusted
        /// It asks to wait.
        case busy
        case denied
        case notFound
        /// A file is where a directory should be.
        case notDirectory
        case notEmpty
        case noSpace
        /// Something else than the expected version is there.
        case changed
        /// Something is there already.
        case taken
        /// Something is there of which the name differs in case alone.
        case nameClash
        /// The answer is none: cut off, or of something else.
        case malformed
        /// Anything else.
        case refused
    }

    /// What has to be done about it.
    package var reason: Reason
    /// The status of the answer, if there was one.
    package var status: Int?

    /// A failure.
    package init(_ reason: Reason, status: Int? = nil) {
        self.reason = reason
        self.status = status
    }

    /// Whether it is not known if what was asked was done.
    var isUndecided: Bool {
        switch reason {
        case .ended, .silent, .cancelled, .malformed, .unreachable, .refused: true
        case .noProgram, .notStarted, .notConfigured, .loginNeeded, .untrusted, .busy, .denied, .notFound,
            .notDirectory, .notEmpty, .noSpace, .changed, .taken, .nameClash:
            false
        }
    }

    /// What an answer means that is no success. rclone hands on what services say as text; all but a few kinds of failures
    /// have one status. What is not recognised is only tried again.
    ///
    /// - Parameter asked: The texts of the request, which stand in the answer as well: a name says nothing of the failure.
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

    /// What is looked for in a text, the more telling first.
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
