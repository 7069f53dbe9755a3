package import SyncCore
import Synchronization

/// One change that a run would make.
package struct RehearsedStep: Hashable, Sendable {
    /// What would be done.
    package enum Kind: String, Hashable, Sendable {
        case upload, download, move, conflict, permissions
        case deleteLocal = "delete-local"
        case deleteRemote = "delete-remote"
        case makeLocal = "make-local"
        case makeRemote = "make-remote"
    }

    /// The kind of change.
    package var kind: Kind
    /// The path of the item in the folder.
    package var path: RelativePath
    /// The target of a move.
    package var target: RelativePath?
    /// Bytes that would be transferred.
    package var bytes: Int64
}

/// A run that reads both sides and changes nothing: it plans on a copy of the trees, runs only effects that read, and
/// records the others.
///
/// Directories that would be created count as created, so that their contents are planned as well. All other changes
/// get the result "later", which leaves the item as it is.
/// @unchecked: confined to the control loop; the runner's threads only hold the reference, to post it there.
final class Rehearsal: @unchecked Sendable {
    private struct Place: Hashable {
        var side: Side
        var path: RelativePath
    }

    private let store: SQLiteStore
    private let loop: any ControlLoop
    private var session: SyncSession
    private var runner: EffectRunner?
    private var looks: [EffectID: Effect] = [:]
    private var sizes: [StageID: Int64] = [:]
    private var made: [Place: Version] = [:]
    private var steps: [RehearsedStep] = []
    /// The total of the delays that were skipped.
    private var skipped = Duration.zero
    private var onFinished: ((Result<[RehearsedStep], any Error>) -> Void)?

    /// - Parameter store: A copy of the folder's trees, which the rehearsal changes.
    init(
        store: SQLiteStore, local: any LocalEndpoint, remote: any Remote, configuration: SessionConfiguration,
        loop: any ControlLoop
    ) {
        self.store = store
        self.loop = loop
        var configuration = configuration
        // A change that was recorded is not planned a second time, however long the rest takes.
        configuration.pauses.writtenItem = .seconds(1 << 40)
        session = SyncSession(store: store, configuration: configuration)
        runner = EffectRunner(local: local, remote: remote, limit: configuration.concurrency) { [weak self] report in
            guard let self, case .finished(let id, let result) = report else { return }
            loop.post { self.looked(id, result) }
        }
    }

    /// Plans. Calls `onFinished` with the changes, in the order in which they would begin, or with an error.
    func start(_ onFinished: @escaping (Result<[RehearsedStep], any Error>) -> Void) {
        self.onFinished = onFinished
        advance([.start])
    }

    private func advance(_ events: [SessionEvent]) {
        do {
            try handle(events)
        } catch {
            finish(.failure(error))
        }
    }

    private func handle(_ events: [SessionEvent]) throws {
        var events = events
        while !events.isEmpty {
            var now = Moment.now
            now.instant += skipped
            let actions = try store.withConnection { try session.handle(events, now: now) }
            events = []
            var retry: Duration?
            for action in actions {
                switch action {
                case .run(let id, let effect):
                    if let result = answer(effect) { events.append(.effect(id, result)) } else { look(id, effect) }
                // Nothing is changed, so there is nothing to wait for.
                case .setTimer(.settle, let delay):
                    skipped += delay
                    events.append(.timer(.settle))
                case .quiescent: if looks.isEmpty { finish(.success(steps)) }
                case .setTimer(.retry, let delay): retry = delay
                case .setTimer(.publish, _), .setTimer(.demand, _), .publish, .folderStatus, .activity, .hasten,
                    .abandon,
                    .demand, .finished:
                    break
                }
            }
            // Only items that wait for a moment are left to be planned.
            if let retry, events.isEmpty, looks.isEmpty, onFinished != nil {
                skipped += retry
                events.append(.timer(.retry))
            }
        }
    }

    private func finish(_ result: Result<[RehearsedStep], any Error>) {
        let callback = onFinished
        onFinished = nil
        callback?(result)
    }

    // MARK: Looking

    private func look(_ id: EffectID, _ effect: Effect) {
        looks[id] = effect
        runner?.run([(id, effect)])
    }

    private func looked(_ id: EffectID, _ result: EffectResult) {
        guard let effect = looks.removeValue(forKey: id), onFinished != nil else { return }
        advance([.effect(id, withMadeDirectories(result, of: effect))])
    }

    /// The result of reading, with the directories that would have been created.
    private func withMadeDirectories(_ result: EffectResult, of effect: Effect) -> EffectResult {
        if case .within(_, let inner) = effect { return withMadeDirectories(result, of: inner) }
        guard case .listDirectory(let side, let path, let part) = effect else { return result }
        let own = made.compactMap { place, version in
            place.side == side && place.path.parent == path
                ? place.path.name.map { ListedEntry(name: $0, kind: .directory, version: version) } : nil
        }.filter { entry in part.after.map { $0 < entry.name } ?? true }
        switch result {
        case .listing(let entries, let isComplete, tag: _):
            // The listing has no tag, because that of the real directory would not cover the added entries.
            return .listing(entries + own, isComplete: isComplete)
        case .page(let entries, let last): return .page(entries + own.filter { $0.name <= last }, through: last)
        case .done, .roots, .marked, .entry, .hashed, .staged, .wrote, .displaced, .lacking, .failed: return result
        }
    }

    // MARK: Pretending

    /// The result of an effect that is not run; nil for one that only reads.
    private func answer(_ effect: Effect) -> EffectResult? {
        switch effect {
        case .probeRoots, .hashFile: return nil
        case .markRoot(_, let known): return .marked(known)
        case .within(_, let inner), .opening(_, let inner): return answer(inner)
        case .listDirectory(let side, let path, _):
            return made[Place(side: side, path: path)] == nil ? nil : .listing([], isComplete: true)
        case .checkEntry(let side, let path, _):
            return made[Place(side: side, path: path)].map { version in
                .entry(path.name.map { ListedEntry(name: $0, kind: .directory, version: version) })
            }
        case .stage(let stage, _, _, let expected):
            sizes[stage] = expected.size
            return .staged(ContentHash([UInt8](repeating: 0, count: 32)), size: expected.size)
        case .makeDirectory(let side, let path, _):
            let version = Version(identity: Token(Array("made \(made.count)".utf8)), tag: .none, size: 0)
            made[Place(side: side, path: path)] = version
            note(side == .local ? .makeLocal : .makeRemote, path)
            return .wrote(version)
        case .fill(let path, let stage, _): note(.download, path, bytes: sizes[stage] ?? 0)
        // Nothing is transferred.
        case .free, .describe: break
        case .publish(let stage, let side, let path, _, _):
            note(side == .local ? .download : .upload, path, bytes: sizes[stage] ?? 0)
        case .move(let side, let from, let to, _, _):
            let isCopy = from.name.flatMap { name in to.name.map { ConflictName.isCopy($0, of: name) } } ?? false
            note(side == .local && isCopy ? .conflict : .move, from, to: to)
        case .displace(let item, let name, let newcomer, _):
            if case .staged(let stage) = newcomer { note(.download, item.path, bytes: sizes[stage] ?? 0) }
            note(.conflict, item.path, to: item.path.parent.appending(name))
        case .setPermissions(_, let path, _, _, _): note(.permissions, path)
        case .replaceLocal(let from, let to): note(.move, from.path, to: to.path)
        case .discardLocal(let item): note(.deleteLocal, item.path)
        case .remove(let side, let path, _, _): note(side == .local ? .deleteLocal : .deleteRemote, path)
        // Each item in it is recorded by itself.
        case .removeTree(let path, _, _):
            return .failed(EffectFailure(.denied, Explanation(.denied, .remote, "\(path)")))
        case .syncContents, .syncRenames, .discard: return .done
        }
        // The change is recorded, and fails as if it had to wait.
        return .failed(EffectFailure(.busy, Explanation(.rehearsal)))
    }

    private func note(
        _ kind: RehearsedStep.Kind, _ path: RelativePath, to target: RelativePath? = nil, bytes: Int64 = 0
    ) {
        steps.append(RehearsedStep(kind: kind, path: path, target: target, bytes: bytes))
    }
}

extension SyncFolder {
    /// Determines what a run would do now, without doing anything, once no effect runs.
    ///
    /// - Parameter onFinished: Called on the loop, also if that is not possible.
    package func rehearse(_ onFinished: @escaping (Result<[RehearsedStep], any Error>) -> Void) {
        whenCopied { [self] copy in
            do {
                var configuration = configuration
                configuration.isPaused = false
                let rehearsal = Rehearsal(
                    store: try copy.get(), local: local, remote: remote, configuration: configuration, loop: loop)
                // The closure keeps the rehearsal alive while it runs.
                rehearsal.start { result in
                    onFinished(result)
                    withExtendedLifetime(rehearsal) {}
                }
            } catch {
                onFinished(.failure(error))
            }
        }
    }
}
