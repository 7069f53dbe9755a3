import SyncCore
import Synchronization

@testable import SyncEngine

/// A remote whose barriers fail so often, as those of a file system that has gone in between.
final class FailingBarriers: Remote {
    private let remote: any Remote
    private let failures: Mutex<Int>
    /// Called before each failure.
    private let onFailure: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    init(_ remote: any Remote, failures: Int) {
        self.remote = remote
        self.failures = Mutex(failures)
    }

    func beforeFailure(_ body: @escaping @Sendable () -> Void) { onFailure.withLock { $0 = body } }

    var remaining: Int { failures.withLock { $0 } }

    func syncRenames(_ items: [BarrierItem]) async throws(EffectFailure) {
        let fails = failures.withLock { failures in
            defer { failures = max(0, failures - 1) }
            return failures > 0
        }
        if fails {
            onFailure.withLock { $0 }?()
            throw EffectFailure(.unreachable, Explanation(.unreachable, .remote, "/remote"))
        }
        try await remote.syncRenames(items)
    }

    // MARK: As it is

    var endsCalls: Bool { remote.endsCalls }
    func parallelism() async -> Int { await remote.parallelism() }
    func root() async -> RootState { await remote.root() }
    func mark(knownAs known: Token) async throws(EffectFailure) -> Token { try await remote.mark(knownAs: known) }
    func requireMounted(_ paths: [RelativePath]) async throws(EffectFailure) {
        try await remote.requireMounted(paths)
    }
    func rest() { remote.rest() }
    func list(_ path: RelativePath, _ part: ListingPart) async throws(EffectFailure) -> ListingPage {
        try await remote.list(path, part)
    }
    func entry(_ path: RelativePath, in directory: Token) async throws(EffectFailure) -> ListedEntry? {
        try await remote.entry(path, in: directory)
    }
    func open(_ path: RelativePath, expecting expected: Version) async throws(EffectFailure) -> any ContentSource {
        try await remote.open(path, expecting: expected)
    }
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        try await remote.stage(id, from: source, near: path, progress: progress)
    }
    func syncContents(_ ids: [StageID]) async throws(EffectFailure) { try await remote.syncContents(ids) }
    func discard(_ ids: [StageID]) async { await remote.discard(ids) }
    func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Placed {
        try await remote.publish(id, at: path, replacing: expected, permissions: permissions)
    }
    func makeDirectory(_ path: RelativePath, permissions: Permissions?) async throws(EffectFailure) -> Version {
        try await remote.makeDirectory(path, permissions: permissions)
    }
    func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) async throws(EffectFailure) -> Placed {
        try await remote.setPermissions(path, kind: kind, expecting: expected, to: permissions)
    }
    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        try await remote.move(path, to: target, kind: kind, expecting: expected)
    }
    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) async throws(EffectFailure) {
        try await remote.remove(path, kind: kind, expecting: expected)
    }
}
