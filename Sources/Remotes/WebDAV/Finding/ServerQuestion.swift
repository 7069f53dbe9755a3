/// A request with which is found out what is at an address. It goes without a login.
package struct ServerQuestion: Hashable, Sendable {
    /// What is asked.
    package enum Method: Hashable, Sendable {
        /// What a page says.
        case page
        /// Whether a collection of WebDAV is there.
        case collection
    }

    package let method: Method
    /// Where it is asked.
    package let place: ServerLocation
}

/// The answer to a question, as far as it matters.
package struct ServerReply: Hashable, Sendable {
    /// The most bytes of a page that are read.
    static let longest = 64 << 10

    package var status: Int
    /// Where the server says that it is, in a redirect.
    package var target: String?
    /// The ways to log in that the server offers.
    package var challenges: [String]
    /// The page, or its beginning.
    package var page: [UInt8]

    package init(_ status: Int, target: String? = nil, challenges: [String] = [], page: [UInt8] = []) {
        (self.status, self.target, self.challenges, self.page) = (status, target, challenges, page)
    }
}
