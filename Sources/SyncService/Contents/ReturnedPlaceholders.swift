internal import SyncCore
internal import SyncEngine

/// Placeholders that have come back after what they stand for was deleted on the remote, as from the desktop's trash.
///
/// Their contents are nowhere but among what the remote keeps of deleted items, if it keeps any. From there they are put
/// back, which transfers nothing.
final class ReturnedPlaceholders {
    /// A placeholder whose contents are nowhere.
    private struct Placeholder: Hashable, Sendable {
        var path: RelativePath
        var size: UInt64
    }

    private let items: FolderItems
    private let engine: SyncFolder
    private let blocking: BlockingWork
    /// Those for which nothing is kept, or that stayed as they were when it was put back.
    private var given: Set<Placeholder> = []
    private var isLooking = false

    /// The most that are looked at after one run. Others follow after the next.
    private static let most = 10_000

    init(_ items: FolderItems, engine: SyncFolder, blocking: BlockingWork) {
        (self.items, self.engine, self.blocking) = (items, engine, blocking)
    }

    /// A run has ended: looks for what came back.
    func look() {
        guard !isLooking, let remote = engine.remote as? any KeepsVersions else { return }
        let found = Set(items.items(in: .error, limit: Self.most).compactMap { placeholder($0) })
        given.formIntersection(found)
        let new = found.subtracting(given)
        guard !new.isEmpty else { return }
        isLooking = blocking.run({ Self.putBack(new, on: remote) }) { [weak self] outcome in
            self?.ended(outcome)
        }
    }

    private func placeholder(_ id: NodeID) -> Placeholder? {
        guard items.status(of: id)?.message.code == .contentsNowhere, let path = items.path(of: id),
            let version = ((try? engine.store.node(id, in: .local)) ?? nil)?.local
        else { return nil }
        return Placeholder(path: path, size: UInt64(clamping: version.size))
    }

    private struct Outcome: Sendable {
        /// What is at the remote again.
        var paths: [RelativePath] = []
        /// What is not to be tried again.
        var given: Set<Placeholder> = []
    }

    private static func putBack(_ placeholders: Set<Placeholder>, on remote: any KeepsVersions) -> Outcome {
        var outcome = Outcome()
        // A remote that cannot be read now is asked after the next run.
        guard let kept = try? remote.keptVersions() else { return outcome }
        var newest: [Placeholder: KeptVersion] = [:]
        for version in kept where version.reason == .deleted && !version.isDirectory {
            let key = Placeholder(path: version.path, size: version.size)
            // The newest comes first.
            if placeholders.contains(key), newest[key] == nil { newest[key] = version }
        }
        for placeholder in placeholders {
            guard let version = newest[placeholder] else {
                outcome.given.insert(placeholder)
                continue
            }
            guard let path = try? remote.restore(version, below: nil) else { continue }
            outcome.paths.append(path)
            outcome.given.insert(placeholder)
        }
        return outcome
    }

    private func ended(_ outcome: Outcome) {
        isLooking = false
        given.formUnion(outcome.given)
        if !outcome.paths.isEmpty { engine.changed(.remote, items: outcome.paths) }
        engine.letGo()
    }
}
