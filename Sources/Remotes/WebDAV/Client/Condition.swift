internal import NIOHTTP1

/// What must be at a place for a request to change it (RFC 9110, section 13).
package enum Condition: Hashable, Sendable {
    /// Anything.
    case none
    /// Nothing.
    case absent
    /// These contents; a weak tag never matches.
    case version(EntityTag)

    func add(to headers: inout HTTPHeaders) {
        switch self {
        case .none: break
        case .absent: headers.add(name: "If-None-Match", value: "*")
        case .version(let tag): headers.add(name: "If-Match", value: tag.text)
        }
    }
}
