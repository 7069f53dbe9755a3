internal import Support

/// An account at a server: what a login is saved under.
package struct RemoteAccount: Hashable, Sendable {
    /// The origin of the server, such as `https://cloud.example.org` or `http://127.0.0.1:8080`: the host in lower case,
    /// no port where it is the usual one, nothing behind it.
    package let server: String
    /// The name of the user; nil for whichever is known at the server.
    package let user: String?

    /// Why an address is not one of a remote with a login.
    package enum Mistake: Error, Hashable, Sendable {
        /// It begins with neither `webdav+https://` nor `webdav+http://`.
        case foreignScheme
        /// It is not what its scheme says.
        case malformed
        /// It carries a password, which whoever lists processes would see.
        case password
        /// It is not encrypted, and the host is not this computer.
        case unencrypted
    }

    /// An account of an origin in the form of ``server``.
    package init(server: String, user: String?) {
        self.server = server
        self.user = user
    }

    /// The account of a remote as a person writes it: `webdav+https://USER@HOST/PATH`, or `webdav+http://…` on this
    /// computer.
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

    /// Whether a login of this account is what the other one needs: its server, and its user if it names one.
    package func serves(_ other: RemoteAccount) -> Bool {
        server == other.server && (user == nil || other.user == nil || user == other.user)
    }

    /// The longest name of a user, in bytes.
    private static let longestUser = 1_024

    /// Whether a name can be that of a user. A colon would end it in an HTTP request (RFC 7617, section 2).
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

    /// Whether what is sent to a host does not leave this computer.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}

/// The address of a remote taken apart.
private struct AddressWithUser {
    let isEncrypted: Bool
    /// What stands before the host, encoded.
    let userinfo: Substring?
    private let authority: Substring
    private let text: String

    /// Nil if the scheme is another one.
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

    /// Whether all that must be encoded is.
    var isPrintable: Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && !text.contains { "?#".contains($0) } }

    /// The colon before the port. Those of an IPv6 address stand in brackets.
    private var colon: Substring.Index? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        return authority.lastIndex(of: "]").map { $0 < colon } ?? true ? colon : nil
    }

    /// Nil for a port that is none.
    var port: Int? {
        guard let colon else { return isEncrypted ? 443 : 80 }
        let digits = authority[authority.index(after: colon)...]
        guard let number = UInt16(digits), number > 0, digits.first != "+" else { return nil }
        return Int(number)
    }

    /// Nil for a host that is none.
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
