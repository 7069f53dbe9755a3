/// Why a request did not do what it was to do.
package struct DAVFailure: Error, Hashable, Sendable {
    /// What has to be done about it.
    package enum Reason: Hashable, Sendable {
        /// The server cannot be reached, or closed the connection. Whether a change was made is not known.
        case unreachable
        /// It did not answer in time. Whether a change was made is not known.
        case silent
        /// The request was cancelled.
        case cancelled
        /// The server's certificate is not one that is trusted.
        case untrusted
        /// It sends to another place, which is not asked: the address has to be changed by a person.
        case movedElsewhere
        /// Credentials are wanted, or are wrong (401).
        case loginNeeded
        /// Credentials are wanted, and those that may be saved cannot be read now.
        case loginUnreadable
        /// Not permitted (403).
        case denied
        /// Nothing is there (404, 410).
        case notFound
        /// The method is not for what is there (405): a collection that is made is there already.
        case notAllowed
        /// The directory that should hold it is not there (409).
        case conflict
        /// The condition does not hold (412).
        case conditionFailed
        /// A collection is not empty, and was to be.
        case notEmpty
        /// Somebody has it locked (423).
        case locked
        /// No space, or over quota (507, 413).
        case noSpace
        /// Later (429, 503): after so many seconds, if the server says so.
        case throttled(seconds: Int64?)
        /// The answer is none: malformed, cut off, of something else, too large.
        case malformed
        /// Any other status.
        case refused
    }

    /// What has to be done about it.
    package var reason: Reason
    /// The status of the answer, if there was one.
    package var status: Int?

    /// Whether it is not known if the server did what was asked.
    var isUndecided: Bool {
        switch reason {
        case .unreachable, .silent, .cancelled, .malformed: true
        case .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable, .denied, .notFound, .notAllowed, .conflict,
            .conditionFailed,
            .notEmpty, .locked, .noSpace, .throttled, .refused:
            false
        }
    }

    /// A failure.
    package init(_ reason: Reason, status: Int? = nil) {
        self.reason = reason
        self.status = status
    }

    /// What an answer means that is no success.
    ///
    /// - Parameter retryAfter: The header of that name: seconds, or a date.
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
            case 413, 507: .noSpace
            case 423: .locked
            case 429, 503: .throttled(seconds: retryAfter.flatMap { Self.wait($0, now: now, year: year) })
            default: .refused
            }
        self.init(reason, status: status)
    }

    /// Longest time that a server may ask for: a day. One that asks for more is asked again then.
    private static let longestWait: Int64 = 86_400

    private static func wait(_ text: String, now: Int64, year: Int) -> Int64? {
        let digits = text.utf8.withoutBlanks()
        if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int64(text.filter(\.isNumber)) ?? longestWait, longestWait)
        }
        return HTTPDate.seconds(text, year: year).map { min(max($0 - now, 0), longestWait) }
    }
}
