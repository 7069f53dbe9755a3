import NIOCore
import SyncCore
import SyncEngine

/// A kind of condition in a request; a server may honour one kind and not another.
enum ConditionKind: Hashable, Sendable {
    /// On the file that a write replaces.
    case write
    /// On the file that is moved or removed.
    case move
    /// On the file that a move replaces.
    case target
}

/// Sends requests with conditions, and finds out if a server refuses those that hold: a proxy may rewrite tags.
struct RefusedConditions: Sendable {
    private let view: ServerView
    private let area: ServerArea

    init(_ view: ServerView, _ area: ServerArea) {
        self.view = view
        self.area = area
    }

    /// Sends a request on the condition that a file has the expected version.
    ///
    /// - Returns: Nil if the server refuses such conditions although they hold; from now on, items are checked instead.
    func attempt<Reply>(
        _ kind: ConditionKind, _ expected: Version, at path: RelativePath,
        _ request: () async throws(DAVFailure) -> Reply
    ) async throws(DAVFailure) -> Reply? {
        // One refusal may be a mistake.
        for _ in 0..<2 {
            do throws(DAVFailure) {
                return try await request()
            } catch {
                guard error.reason == .conditionFailed, let found = try await view.entry(path), found.kind == .file,
                    found.version.isSame(as: expected)
                else { throw error }
            }
        }
        // What was just listed may be from a cache, and the refusals right. Only a file that nobody else knows certainly
        // has the version that is listed.
        guard try await areRefused(kind) else { throw DAVFailure(.conditionFailed, status: 412) }
        view.versions.known.noteRefused(kind)
        return nil
    }

    /// Whether the server refuses such a condition on a file of our own.
    private func areRefused(_ kind: ConditionKind) async throws(DAVFailure) -> Bool {
        try await area.make()
        let places = (area.newPlace(), area.newPlace())
        let result: Result<Bool, DAVFailure>
        do throws(DAVFailure) {
            result = .success(try await isRefused(kind, at: places.0, by: places.1))
        } catch {
            result = .failure(error)
        }
        await area.dispose(places.0)
        await area.dispose(places.1)
        return try result.get()
    }

    private func isRefused(
        _ kind: ConditionKind, at place: RelativePath, by other: RelativePath
    ) async throws(DAVFailure) -> Bool {
        try await write("old", to: place)
        guard var version = try await view.entry(place)?.version else { return false }
        if version.isRacy {
            do { try await Task.sleep(for: view.versions.settlingOfStaged) } catch { throw DAVFailure(error) }
            guard let settled = try await view.entry(place)?.version else { return false }
            version = settled
            version.isRacy = false
        }
        guard let tag = view.versions.entityTag(of: version) else { return false }
        if kind == .target { try await write("new", to: other) }
        do throws(DAVFailure) {
            switch kind {
            case .write: try await write("new", to: place, if: .version(tag))
            case .move: _ = try await view.client.remove(place, isDirectory: false, if: .version(tag))
            case .target:
                _ = try await view.client.move(
                    other, to: place, isDirectory: false, if: .none, overwrites: true, replacing: tag)
            }
            return false
        } catch {
            guard error.reason == .conditionFailed else { throw error }
            return true
        }
    }

    private func write(
        _ text: String, to place: RelativePath, if condition: Condition = .none
    ) async throws(DAVFailure) {
        _ = try await view.client.write(
            place, length: Int64(text.utf8.count), parts: OneBuffer(text), if: condition)
    }
}
