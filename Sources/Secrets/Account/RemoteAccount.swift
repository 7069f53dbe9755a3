internal import Support

/// An account at a server, under which a login is saved.
package struct RemoteAccount: Hashable, Sendable {
    /// The origin of the server, such as `https://cloud.example.org` or `http://127.0.0.1:8080`: the host in lower
    /// case, the port only if it is not the default one, and nothing after it.
    package let server: String
    /// The name of the user; nil for any user known at the server.
    package let user: String?

    /// Why a text is not the address of a remote with a login.
    package enum Mistake: Error, Hashable, Sendable {
        /// It begins with neither `webdav+https://` nor `webdav+http://`.
        case foreignScheme
        /// The rest does not fit the scheme.
        case malformed
        /// It contains a password, which would be visible in process lists.
        case password
        /// It is not encrypted, and the host is another computer.
        case unencrypted
    }

    /// Creates an account from an origin in the form of ``server``.
    package init(server: String, user: String?) {
        self.server = server
        self.user = user
    }

    /// Parses the account of a remote that the user entered: `webdav+https://USER@HOST/PATH`, or `webdav+http://…` on
    /// this computer.
    package init(remote: String) throws(Mistake) {
        guard let address = AddressWithUser(remote) else { throw .foreignScheme }
        if address.userinfo?.contains(":") ?? false { throw .password }
        guard let host = address.host, let port = address.port, address.isPrintable else { throw .malformed }
        if !address.isEncrypted && !Self.isLoopback(host) { throw .unencrypted }
        let usual = address.isEncrypted ? 443 : 80
        server = (address.isEncrypted ? "https://" : "http://") + host + (port == usual ? "" : ":\(port)")
        if let userinfo = address.userinfo {
            guard let user = Self.user(userinfo) else { throw .malformed }
            self.user = user
        } else {
            user = nil
        }
    }

    /// Whether a login of this account can be used for the other one: the same server, and the same user if both have
    /// one.
    package func serves(_ other: RemoteAccount) -> Bool {
        server == other.server && (user == nil || other.user == nil || user == other.user)
    }

    /// The maximum length of a user name in bytes.
    private static let longestUser = 1_024

    /// Whether a name is a valid user name. In an HTTP request, a colon would end it (RFC 7617, section 2).
    package static func isUser(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestUser
            && !name.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == ":" }
    }

    private static func user(_ encoded: Substring) -> String? {
        guard let bytes = PercentCoding.decode(encoded), let name = String(validating: bytes, as: UTF8.self),
            isUser(name)
        else { return nil }
        return name
    }

    /// Whether data sent to a host stays on this computer.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}

/// The parts of a remote's address.
private struct AddressWithUser {
    let isEncrypted: Bool
    /// The encoded part before the host.
    let userinfo: Substring?
    private let authority: Substring
    private let text: String

    /// Nil for another scheme.
    init?(_ text: String) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        switch text[..<mark.lowerBound].lowercased() {
        case "webdav+https": isEncrypted = true
        case "webdav+http": isEncrypted = false
        default: return nil
        }
        self.text = text
        let rest = text[mark.upperBound...].prefix { $0 != "/" }
        let sign = rest.lastIndex(of: "@")
        userinfo = sign.map { rest[..<$0] }
        authority = sign.map { rest[rest.index(after: $0)...] } ?? rest
    }

    /// Whether the address contains no characters that must be encoded.
    var isPrintable: Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && !text.contains { "?#".contains($0) } }

    /// The colon before the port. Those of an IPv6 address are in brackets.
    private var colon: Substring.Index? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        return authority.lastIndex(of: "]").map { $0 < colon } ?? true ? colon : nil
    }

    /// Nil for an invalid port.
    var port: Int? {
        guard let colon else { return isEncrypted ? 443 : 80 }
        let digits = authority[authority.index(after: colon)...]
        guard let number = UInt16(digits), number > 0, digits.first != "+" else { return nil }
        return Int(number)
    }

    /// Nil for an invalid host.
    var host: String? {
        let host = authority[..<(colon ?? authority.endIndex)].lowercased()
        let inner = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
        let isBracketed = inner.startIndex != host.startIndex
        let isAllowed: (UInt8) -> Bool = { byte in
            isBracketed
                ? byte == 0x3A || byte == 0x2E || PercentCoding.value(ofDigit: byte) != nil
                : PercentCoding.isUnreserved(byte)
        }
        return !inner.isEmpty && inner.utf8.allSatisfy(isAllowed) ? host : nil
    }
}
