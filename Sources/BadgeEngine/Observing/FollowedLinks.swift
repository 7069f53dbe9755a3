internal import RoundelBus

/// The symbolic links through which callers observe directories. They are watched during that time: if one changes, its
/// users see another directory.
struct FollowedLinks {
    /// How many spellings of each caller use a link.
    private var users: [ItemURI: [String: Int]] = [:]
    /// The pending instructions for the watcher, in order.
    private var changes: [Action] = []

    /// A caller observes a directory through a link.
    mutating func use(_ link: PlaceLink, by client: String) {
        if users[link.link] == nil { changes.append(.followLink(link)) }
        users[link.link, default: [:]][client, default: 0] += 1
    }

    /// A caller no longer observes a directory through a link.
    mutating func endUse(_ link: ItemURI, by client: String) {
        guard let count = users[link]?[client] else { return }
        users[link]?[client] = count > 1 ? count - 1 : nil
        guard users[link]?.isEmpty ?? false else { return }
        users[link] = nil
        changes.append(.unfollowLink(link))
    }

    /// The callers that observe something through a link, sorted.
    func clients(of link: ItemURI) -> [String] { users[link]?.keys.sorted() ?? [] }

    /// Takes the instructions for the watcher since the last call.
    mutating func releaseChanges() -> [Action] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }
}
