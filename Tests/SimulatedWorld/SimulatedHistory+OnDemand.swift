import SyncCore
import TestSupport

/// A folder on demand: what people want of contents, and which files their programs have open.
extension SimulatedHistory {
    var configuration: SessionConfiguration {
        var configuration = SessionConfiguration(
            tag: "TEST", excludes: excludes, concurrency: 4, operationLimit: operationLimit)
        configuration.isOnDemand = has(.onDemand) || has(.pinned)
        return configuration
    }

    /// All of the folder is wanted here, whatever the store lost.
    func pin() throws {
        if has(.pinned) { try store.trees.setWish(.alwaysHere, for: .root) }
    }

    /// A person says where contents should be, or a program opens a file or closes it.
    mutating func wishOrOpen() throws {
        guard let spot = random.pick(edge[.local].walk()) else { return }
        if random.oneIn(3) {
            if edge.opened.remove(spot.inode) == nil { edge.opened.insert(spot.inode) }
            return log { "\(spot.path) is \(edge.opened.contains(spot.inode) ? "open" : "closed")" }
        }
        let path = random.oneIn(8) ? RelativePath.root : spot.path
        guard let node = try store.trees.localNode(at: path), let wish = random.pick(Wish.allCases) else { return }
        wantFiles(at: path)
        try tell(.command(.wish(wish, for: [node])))
    }
    /// Somebody wants something of what is at or below a path. What was deleted here a moment ago is still known.
    mutating func wantFiles(at path: RelativePath) {
        let counts = Side.allCases.map { side in
            edge[side].walk().count { $0.path.names.starts(with: path.names) }
        }
        user.ledger.want(files: counts.max() ?? 0)
    }
}
