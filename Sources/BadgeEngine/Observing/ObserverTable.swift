internal import RoundelBus

/// The observations of each caller.
struct ObserverTable {
    private struct Client {
        /// The directory for each spelling in use.
        var spellings: [ItemURI: DirectoryID] = [:]
        var directories: Set<DirectoryID> = []
        /// The symbolic links that each spelling passes through, if any.
        var links: [ItemURI: [ItemURI]] = [:]
        /// The names kept in all its directories.
        var kept = KeptNames()
    }

    private var clients: [String: Client] = [:]
    private var links = FollowedLinks()

    func directory(_ client: String, _ spelling: ItemURI) -> DirectoryID? {
        clients[client]?.spellings[spelling]
    }

    /// All directories that a caller observes, in no particular order.
    func directories(_ client: String) -> Set<DirectoryID> { clients[client]?.directories ?? [] }

    func observes(_ client: String, _ directory: DirectoryID) -> Bool {
        clients[client]?.directories.contains(directory) ?? false
    }

    /// The number of directories that a caller observes, each as often as it has spellings of it.
    func spellingCount(_ client: String) -> Int {
        clients[client]?.spellings.count ?? 0
    }

    /// The number of names kept for a caller in all its directories.
    func kept(_ client: String) -> KeptNames {
        clients[client]?.kept ?? KeptNames()
    }

    /// The numbers of names kept for a caller in one of its directories have changed.
    mutating func recount(_ client: String, from old: KeptNames, to new: KeptNames) {
        clients[client]?.kept.replace(old, with: new)
    }

    /// - Parameter used: The links that a new spelling passes through.
    mutating func add(_ client: String, _ spelling: ItemURI, _ directory: DirectoryID, by used: [PlaceLink]) {
        clients[client, default: Client()].spellings[spelling] = directory
        clients[client, default: Client()].directories.insert(directory)
        guard !used.isEmpty else { return }
        clients[client]?.links[spelling] = used.map(\.link)
        for link in used { links.use(link, by: client) }
    }

    mutating func removeSpelling(_ client: String, _ spelling: ItemURI) {
        clients[client]?.spellings[spelling] = nil
        for link in clients[client]?.links.removeValue(forKey: spelling) ?? [] { links.endUse(link, by: client) }
    }

    /// The callers that observe something through a link, sorted.
    func clients(through link: ItemURI) -> [String] { links.clients(of: link) }

    /// Takes the instructions for the watcher about links since the last call.
    mutating func releaseLinkChanges() -> [Action] { links.releaseChanges() }

    mutating func remove(_ client: String, _ directory: DirectoryID, _ spellings: [ItemURI]) {
        for spelling in spellings { removeSpelling(client, spelling) }
        clients[client]?.directories.remove(directory)
        if clients[client]?.directories.isEmpty ?? false { clients[client] = nil }
    }
}
