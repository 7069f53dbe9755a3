internal import RoundelBus

/// What each caller observes.
struct ObserverTable {
    private struct Client {
        /// Every spelling in use → the directory.
        var spellings: [ItemURI: DirectoryID] = [:]
        var directories: Set<DirectoryID> = []
        /// In all its directories.
        var kept = KeptNames()
    }

    private var clients: [String: Client] = [:]

    func directory(_ client: String, _ spelling: ItemURI) -> DirectoryID? {
        clients[client]?.spellings[spelling]
    }

    /// Everything that a caller observes, in no particular order.
    func directories(_ client: String) -> Set<DirectoryID> { clients[client]?.directories ?? [] }

    func observes(_ client: String, _ directory: DirectoryID) -> Bool {
        clients[client]?.directories.contains(directory) ?? false
    }

    func directoryCount(_ client: String) -> Int {
        clients[client]?.directories.count ?? 0
    }

    /// How many names are kept for a caller in all its directories.
    func kept(_ client: String) -> KeptNames {
        clients[client]?.kept ?? KeptNames()
    }

    /// One of a caller's directories keeps other numbers of names for it than before.
    mutating func recount(_ client: String, from old: KeptNames, to new: KeptNames) {
        clients[client]?.kept.replace(old, with: new)
    }

    mutating func add(_ client: String, _ spelling: ItemURI, _ directory: DirectoryID) {
        clients[client, default: Client()].spellings[spelling] = directory
        clients[client, default: Client()].directories.insert(directory)
    }

    mutating func removeSpelling(_ client: String, _ spelling: ItemURI) {
        clients[client]?.spellings[spelling] = nil
    }

    mutating func remove(_ client: String, _ directory: DirectoryID, _ spellings: [ItemURI]) {
        for spelling in spellings {
            clients[client]?.spellings[spelling] = nil
        }
        clients[client]?.directories.remove(directory)
        if clients[client]?.directories.isEmpty ?? false { clients[client] = nil }
    }
}
