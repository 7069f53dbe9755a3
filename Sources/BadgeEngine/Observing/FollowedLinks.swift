internal import RoundelBus

/// The symbolic links by way of which callers observe directories. They are followed while that is so: whoever looks through
/// one that is changed sees another directory.
struct FollowedLinks {
    /// How many spellings of each caller lead through a link.
    private var users: [ItemURI: [String: Int]] = [:]
    /// What the watcher has to be told, in order.
    private var changes: [Action] = []

    /// A caller observes a directory by way of a link.
    mutating func use(_ link: PlaceLink, by client: String) {
        if users[link.link] == nil { changes.append(.followLink(link)) }
        users[link.link, default: [:]][client, default: 0] += 1
    }

    /// A caller no longer observes a directory by way of a link.
    mutating func endUse(_ link: ItemURI, by client: String) {
        guard let count = users[link]?[client] else { return }
        users[link]?[client] = count > 1 ? count - 1 : nil
        guard users[link]?.isEmpty ?? false else { return }
        users[link] = nil
        changes.append(.unfollowLink(link))
    }

    /// The callers that observe something by way of a link, in order.
    func clients(of link: ItemURI) -> [String] { users[link]?.keys.sorted() ?? [] }

    /// What the watcher has to be told since this was asked last.
    mutating func releaseChanges() -> [Action] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }
}
