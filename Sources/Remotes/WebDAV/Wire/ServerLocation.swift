internal import Support
package import SyncCore

/// The synced collection on a server: its address, and which other addresses are within it.
///
/// Names are decoded once and compared as bytes (promise 10): addresses that are written differently may be the same
/// place.
package struct ServerLocation: Hashable, Sendable {
    /// The longest address that is accepted, in bytes.
    private static let longest = 4_096

    /// Whether the connection is encrypted.
    package let isEncrypted: Bool
    /// The name or address of the host, in lower case; an IPv6 address is in brackets.
    package let host: String
    /// Its port.
    package let port: Int
    /// The names from the server's root to the collection.
    package let names: [EntryName]

    /// Why an address cannot be used.
    package enum Mistake: Error, Hashable, Sendable {
        /// It is not an `https:` or `http:` address of a directory on a host.
        case malformed
        /// It contains a name or a password, which belong elsewhere and would be visible here.
        case credentials
        /// It is not encrypted, and the host is not this computer.
        case unencrypted
    }

    /// The location of an address as the user writes it.
    package init(_ address: String) throws(Mistake) {
        guard let parts = AddressParts(address) else { throw .malformed }
        if parts.hasCredentials { throw .credentials }
        guard let names = Self.names(inPath: parts.path) else { throw .malformed }
        if !parts.isEncrypted && !Self.isLoopback(parts.host) { throw .unencrypted }
        (isEncrypted, host, port) = (parts.isEncrypted, parts.host, parts.port)
        self.names = names
    }

    private init(isEncrypted: Bool, host: String, port: Int, names: [EntryName]) {
        (self.isEncrypted, self.host, self.port, self.names) = (isEncrypted, host, port, names)
    }

    /// Another collection of the same server.
    func at(_ names: [EntryName]) -> ServerLocation {
        ServerLocation(isEncrypted: isEncrypted, host: host, port: port, names: names)
    }

    /// The top of an encrypted server at the usual port; nil for what is no host.
    static func encrypted(host: String) -> ServerLocation? { try? ServerLocation("https://" + host) }

    /// Where a redirect leads, without its query; nil if it leads nowhere, or from an encrypted address to another.
    ///
    /// - Parameter reference: What the server sent, an address or a path.
    func target(_ reference: String) -> ServerLocation? {
        guard reference.utf8.count <= Self.longest else { return nil }
        let reference = String(reference.prefix { $0 != "?" && $0 != "#" })
        if reference.hasPrefix("/"), !reference.hasPrefix("//") {
            return Self.names(inPath: Array(reference.utf8)).map { at($0) }
        }
        let address = reference.hasPrefix("//") ? "https:" + reference : reference
        guard let place = try? ServerLocation(ServerPages.upgraded(address, for: self)) else { return nil }
        return place.isEncrypted || !isEncrypted ? place : nil
    }

    /// Whether what is sent there stays on this computer.
    var isOnThisComputer: Bool { Self.isLoopback(host) }

    /// Whether what is sent to a host stays on this computer.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    // MARK: Addresses

    /// The address of the server itself, without a path.
    package var origin: String {
        let usual = isEncrypted ? 443 : 80
        return (isEncrypted ? "https://" : "http://") + host + (port == usual ? "" : ":\(port)")
    }

    /// The address of an item.
    ///
    /// - Parameter isDirectory: Ends it with a slash, which some servers require and none refuses.
    package func address(of path: RelativePath, isDirectory: Bool) -> String {
        origin + self.path(of: path, isDirectory: isDirectory)
    }

    /// The path in the address of an item.
    func path(of path: RelativePath, isDirectory: Bool) -> String {
        let names = self.names + path.names
        let text = names.map { "/" + PercentCoding.encode(segment: $0.bytes) }.joined()
        return isDirectory || names.isEmpty ? text + "/" : text
    }

    /// The path of an item from a server's response, relative to the collection; nil if it is elsewhere, on another
    /// host, or has an invalid name.
    package func path(ofReference reference: some StringProtocol) -> RelativePath? {
        guard reference.utf8.count <= Self.longest else { return nil }
        let path: [UInt8]
        if reference.utf8.first == UInt8(ascii: "/") && !reference.hasPrefix("//") {
            // A query is not part of a name; these characters are encoded in names.
            guard !reference.contains("?"), !reference.contains("#") else { return nil }
            path = Array(reference.utf8)
        } else {
            guard let parts = AddressParts(String(reference)), !parts.hasCredentials, parts.host == host,
                parts.port == port, parts.isEncrypted == isEncrypted
            else { return nil }
            path = parts.path
        }
        guard let found = Self.names(inPath: path), found.starts(with: names) else { return nil }
        return RelativePath(Array(found.dropFirst(names.count)))
    }

    /// The names in an encoded path, each decoded once; nil if one is invalid. One slash at the end is allowed.
    private static func names(inPath path: [UInt8]) -> [EntryName]? {
        guard path.count <= longest else { return nil }
        if path.isEmpty { return [] }
        guard path.first == UInt8(ascii: "/") else { return nil }
        var segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if segments.last?.isEmpty == true { segments.removeLast() }
        var names: [EntryName] = []
        for segment in segments {
            var bytes: [UInt8] = []
            guard PercentCoding.decode(segment, into: &bytes), let name = EntryName(bytes) else { return nil }
            names.append(name)
        }
        return names
    }
}

/// The parts of an absolute address, as far as WebDAV needs them: without query and fragment.
private struct AddressParts {
    var isEncrypted: Bool
    var hasCredentials: Bool
    var host: String
    var port: Int
    var path: [UInt8]

    init?(_ address: String) {
        let bytes = Array(address.utf8)
        // All other characters must be encoded, especially blanks and control characters.
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !bytes.contains(UInt8(ascii: "?")),
            !bytes.contains(UInt8(ascii: "#")), let mark = address.firstRange(of: "://")
        else { return nil }
        switch address[..<mark.lowerBound].lowercased() {
        case "https": isEncrypted = true
        case "http": isEncrypted = false
        default: return nil
        }
        let rest = address[mark.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        path = Array(rest[slash...].utf8)
        var authority = rest[..<slash]
        hasCredentials = authority.contains("@")
        if let sign = authority.lastIndex(of: "@") { authority = authority[authority.index(after: sign)...] }
        var name = authority
        port = isEncrypted ? 443 : 80
        let bracket = authority.lastIndex(of: "]")
        if let colon = authority.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            (name, port) = (authority[..<colon], Int(number))
        }
        host = name.lowercased()
        let isAllowed: (UInt8) -> Bool = { byte in
            PercentCoding.isUnreserved(byte) || (bracket != nil && [0x3A, 0x5B, 0x5D].contains(byte))
        }
        guard !host.isEmpty, host.utf8.allSatisfy(isAllowed) else { return nil }
    }
}
