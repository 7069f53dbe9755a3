internal import Remotes
internal import Support
internal import SyncCore
internal import SyncEngine

/// Who wrote versions of files on the server of a folder. It is asked when somebody looks at a conflict, and kept in memory.
final class FolderAuthors {
    /// A version of an item as the engine knows it.
    private struct Known {
        var version: Version
        var author: ItemAuthor?
    }

    private let items: FolderItems
    private let versions: any ItemVersions
    private let engine: SyncFolder
    private let blocking: BlockingWork
    private var answers: [NodeID: Known] = [:]

    /// The most items of which an answer is kept.
    private static let most = 1_000

    /// - Parameter versions: Those of the remote; the result is nil if this is nil.
    init?(_ items: FolderItems, of versions: (any ItemVersions)?, engine: SyncFolder, blocking: BlockingWork) {
        guard let versions else { return nil }
        (self.items, self.versions, self.engine, self.blocking) = (items, versions, engine, blocking)
    }

    /// Who wrote the version of an item that is on the remote, if the server was asked about that one.
    func known(of node: NodeID) -> ItemAuthor? {
        guard let answer = answers[node], let version = remoteVersion(of: node), version.isSame(as: answer.version)
        else { return nil }
        return answer.author
    }

    /// Asks the server about items; calls `answer` when it has answered, or does not.
    func find(_ nodes: [NodeID], answer: @escaping () -> Void) {
        let asked = nodes.compactMap { node -> (node: NodeID, path: RelativePath, version: Version)? in
            guard let version = remoteVersion(of: node), answers[node].map({ !$0.version.isSame(as: version) }) ?? true,
                let place = items.remotePlace(of: node), !place.isDirectory
            else { return nil }
            return (node, place.path, version)
        }
        if asked.isEmpty || !isReached { return answer() }
        let isAsked = blocking.ask { [versions] () -> [NodeID: ItemAuthor?] in
            let found = FoundAuthors()
            try? await Deadline.run(Patience.Worker.aside) {
                for item in asked {
                    do throws(VersionFailure) {
                        let author = try await versions.author(
                            of: item.path, modified: item.version.modified / 1_000_000_000, size: item.version.size)
                        await found.add(author, of: item.node)
                    } catch {
                        // A server that keeps no versions of one keeps none of the others.
                        if error == .keepsNone { return }
                    }
                }
            }
            return await found.all
        } answer: { [self] (found: [NodeID: ItemAuthor?]) in
            if answers.count + found.count > Self.most { answers = [:] }
            for item in asked {
                if let author = found[item.node] { answers[item.node] = Known(version: item.version, author: author) }
            }
            answer()
        }
        if !isAsked { answer() }
    }

    /// Whether the server answers, as far as is known.
    private var isReached: Bool {
        switch engine.status.phase {
        case .idle, .looking, .syncing, .paused, .confirmDeletes: true
        case .offline, .stopped: false
        }
    }

    private func remoteVersion(of node: NodeID) -> Version? {
        ((try? engine.store.node(node, in: .remote)) ?? nil)?.remote
    }
}

/// What a server said about several items until the time was over.
private actor FoundAuthors {
    private(set) var all: [NodeID: ItemAuthor?] = [:]

    func add(_ author: ItemAuthor?, of node: NodeID) { all[node] = .some(author) }
}
