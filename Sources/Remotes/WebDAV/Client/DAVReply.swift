internal import NIOHTTP1

/// What a server reports about an item after it wrote or read it.
package struct DAVReply: Hashable, Sendable {
    /// The status: 200 to 299.
    package var status: Int
    /// The entity tag of what is there now; nil if the server does not report it.
    package var entityTag: EntityTag?
    /// The length of the body in bytes; nil if the server does not report it.
    package var length: Int64?
    /// The part of a file in the body; nil if the server does not report it.
    var range: ContentRange?
    /// The modification time, in seconds since 1970 by the server's clock; nil if it does not report it.
    package var modified: Int64?
    /// An identifier of the item that is independent of its name; nil if the server does not report one.
    package var lastingID: [UInt8]?
    /// Whether the file has the modification time that was sent with it.
    package var keptModified: Bool
    /// A checksum of the whole file; nil if the server tells none.
    var digest: ContentDigest?
    /// The token of a lock.
    package var lock: String?

    init(status: Int, _ headers: HTTPHeaders, year: Int) {
        self.status = status
        entityTag = (headers.first(name: "ETag") ?? headers.first(name: "OC-ETag")).flatMap {
            EntityTag(Array($0.utf8))
        }
        length = headers.first(name: "Content-Length").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
        range = headers.first(name: "Content-Range").flatMap { ContentRange($0) }
        modified = headers.first(name: "Last-Modified").flatMap { HTTPDate.seconds($0, year: year) }
        lastingID = headers.first(name: "OC-FileId").map { Array($0.utf8.withoutBlanks()) }
        keptModified = headers.first(name: "X-OC-MTime")?.lowercased() == "accepted"
        digest = headers.first(name: "OC-Checksum").flatMap { ContentDigest(in: Array($0.utf8)) }
        lock = headers.first(name: "Lock-Token").flatMap(Self.lockToken)
    }

    /// `<opaquelocktoken:…>`, as it is sent back in a header; a known server omits the brackets.
    private static func lockToken(_ text: String) -> String? {
        let isBracketed = text.hasPrefix("<") && text.hasSuffix(">") && text.utf8.count > 2
        let token = isBracketed ? text.dropFirst().dropLast() : text[...]
        guard !token.isEmpty, token.utf8.count <= EntityTag.longest,
            token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !token.contains("<"), !token.contains(">")
        else { return nil }
        return "<\(token)>"
    }
}
