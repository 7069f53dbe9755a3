internal import Support

/// What a person typed or pasted to say where a folder is to sync, as far as the text alone tells.
package enum TypedAddress: Hashable, Sendable {
    /// A directory of this computer: an absolute path, or a `file:` URI.
    case directory(String)
    /// A place of rclone's, in the form that AddFolder takes.
    case rclone(String)
    /// `NAME:PATH`: a remote of rclone's, or another computer.
    case named(String, path: String)
    /// A directory on another computer to which people log in with SSH.
    case ssh(user: String?, host: String, path: String)
    /// A server, or a page of one.
    case server(ServerAddress)
    /// An address of a sort that nothing syncs with, by its scheme.
    case foreign(String)
    /// There is a password in it.
    case withPassword
    /// Nothing of all that.
    case unusable

    /// The longest text that is looked at, in bytes.
    private static let longest = 4_096

    /// - Parameter home: The person's home directory.
    package init(_ typed: String, home: String) {
        let text = String(typed.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !text.isEmpty, text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            self = .unusable
            return
        }
        if text.hasPrefix("/") || text.lowercased().hasPrefix("file:") {
            self = .directory(text)
        } else if text == "~" || text.hasPrefix("~/") {
            self = .directory(home + text.dropFirst())
        } else if text.lowercased().hasPrefix("rclone:") {
            self = .rclone("rclone:" + text.dropFirst(7))
        } else if let mark = text.firstRange(of: "://") {
            self.init(scheme: text[..<mark.lowerBound].lowercased(), text[mark.upperBound...])
        } else {
            self.init(withoutScheme: text)
        }
    }

    private init(scheme: String, _ rest: Substring) {
        switch scheme {
        case "https", "webdav+https", "webdavs", "davs": self.init(server: rest, .https)
        case "http", "webdav+http", "webdav", "dav": self.init(server: rest, .http)
        case "sftp", "ssh":
            let authority = rest.prefix { $0 != "/" }
            let (userinfo, host) = Self.split(authority)
            if userinfo?.contains(":") ?? false {
                self = .withPassword
            } else if host.isEmpty {
                self = .unusable
            } else {
                let path = rest[authority.endIndex...]
                self = .ssh(user: userinfo.map { String($0) }, host: String(host), path: String(path))
            }
        case _: self = .foreign(scheme)
        }
    }

    private init(withoutScheme text: String) {
        guard let colon = text.firstIndex(of: ":"), text.prefix(upTo: colon).allSatisfy({ !"/?#[".contains($0) }) else {
            self.init(server: text[...], .any)
            return
        }
        let (before, after) = (text[..<colon], text[text.index(after: colon)...])
        // A port, not a directory.
        let digits = after.prefix { !"/?#".contains($0) }
        if let port = UInt16(digits), port > 0, digits.allSatisfy(\.isNumber) {
            self.init(server: text[...], .any)
        } else if let sign = before.lastIndex(of: "@") {
            // A password is typed in front of the host: `user:password@host`.
            let (user, host) = (before[..<sign], before[before.index(after: sign)...])
            self =
                user.isEmpty || host.isEmpty
                ? .unusable : .ssh(user: String(user), host: String(host), path: String(after))
        } else if after.prefix(while: { $0 != "/" }).contains("@") {
            self = .withPassword
        } else {
            self = before.isEmpty ? .unusable : .named(String(before), path: String(after))
        }
    }

    private init(server rest: Substring, _ scheme: ServerAddress.Scheme) {
        let authority = rest.prefix { !"/?#".contains($0) }
        let (userinfo, host) = Self.split(authority)
        guard !(userinfo?.contains(":") ?? false) else {
            self = .withPassword
            return
        }
        let address = ServerAddress(scheme, user: userinfo, authority: host, rest[authority.endIndex...])
        self = address.map { .server($0) } ?? .unusable
    }

    private static func split(_ authority: Substring) -> (user: Substring?, host: Substring) {
        guard let sign = authority.lastIndex(of: "@") else { return (nil, authority) }
        return (authority[..<sign], authority[authority.index(after: sign)...])
    }
}

/// The address of a server, or of a page of one.
package struct ServerAddress: Hashable, Sendable {
    /// How the server is to be asked.
    package enum Scheme: Hashable, Sendable {
        case https
        case http
        /// The person said nothing about it.
        case any
    }

    package let scheme: Scheme
    /// The name of the user; nil if the address names none.
    package let user: String?
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    /// The port; nil for the usual one.
    package let port: Int?
    /// The names of the path, decoded, without empty ones.
    package let path: [String]
    /// The query, decoded.
    package let query: [String: String]

    /// Nil if it is none: a host has letters, digits, dots and hyphens.
    ///
    /// - Parameter rest: Path, query and fragment.
    init?(_ scheme: Scheme, user: Substring?, authority: Substring, _ rest: Substring) {
        self.scheme = scheme
        var host = authority
        var port: Int?
        let bracket = authority.lastIndex(of: "]")
        if let colon = authority.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
            let digits = authority[authority.index(after: colon)...]
            guard let number = UInt16(digits), number > 0, digits.first != "+" else { return nil }
            (host, port) = (authority[..<colon], Int(number))
        }
        self.host = host.lowercased()
        self.port = port
        let isAllowed: (UInt8) -> Bool = { byte in
            PercentCoding.isUnreserved(byte) || (bracket != nil && [0x3A, 0x5B, 0x5D].contains(byte))
        }
        guard !host.isEmpty, self.host.utf8.allSatisfy(isAllowed) else { return nil }
        if let user {
            guard let name = Self.decoded(user), !name.isEmpty else { return nil }
            self.user = name
        } else {
            self.user = nil
        }
        let withoutFragment = rest.prefix { $0 != "#" }
        let path = withoutFragment.prefix { $0 != "?" }
        var names: [String] = []
        for part in path.split(separator: "/") {
            guard let name = Self.decoded(part) else { return nil }
            names.append(name)
        }
        self.path = names
        query = Self.query(withoutFragment[path.endIndex...].dropFirst())
    }

    private static func query(_ text: Substring) -> [String: String] {
        var found: [String: String] = [:]
        for part in text.split(separator: "&") {
            let name = part.prefix { $0 != "=" }
            let value = part[name.endIndex...].dropFirst().map { $0 == "+" ? " " : $0 }
            if let value = decoded(Substring(String(value))), found[String(name)] == nil { found[String(name)] = value }
        }
        return found
    }

    private static func decoded(_ text: Substring) -> String? {
        PercentCoding.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
