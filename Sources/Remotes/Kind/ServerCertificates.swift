/// Files with certificates that a person gave for one server, beside what the desktop has for all of them.
package struct ServerCertificates: Codable, Hashable, Sendable {
    /// The path of certificate authorities that are trusted for this server.
    package var authority: String?
    /// The path of the person's own certificate.
    package var certificate: String?
    /// The path of the key that belongs to it; nil if it is in the same file.
    package var key: String?

    package init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
        (self.authority, self.certificate, self.key) = (authority, certificate, key)
    }

    /// Whether there are none.
    package var isEmpty: Bool { authority == nil && certificate == nil }
}
