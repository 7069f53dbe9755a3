import Support
import SyncCore
import SyncEngine
import Synchronization

/// The engine's own collection on a server, which contains the mark of the root and the staged files.
///
/// Several installations may use one server; each has its own collection within this one.
final class ServerArea: Sendable {
    private struct State {
        var count: UInt64 = 0
        var isMade = false
        /// Whether the removal of leftovers of earlier runs has begun.
        var isTidied = false
        /// The same for interrupted probes.
        var areProbesRemoved = false
        /// Staged files that could not be removed yet, and until when the server may still be writing them.
        var remains: [RelativePath: ContinuousClock.Instant] = [:]
        /// Removes ``remains``; nil while there are none.
        var sweeper: Task<Void, Never>?
        /// The pause before its next attempt.
        var pause = Patience.Server.remains
    }

    /// The name of the collection in the root. It is never synced, whatever it contains.
    static let name = EntryName.constant(".roundel")
    /// The mark of the root.
    static let mark = RelativePath([name, .constant("root")])
    /// The length of a mark in bytes, which are hexadecimal digits.
    static let markLength = 32

    /// A name that is longer gets too long for a server when something is put before it.
    private static let longestShown = 200

    private let view: ServerView
    /// The records of large transfers, including those of earlier runs that can be resumed.
    private let transfers: TransferLedger?
    /// The collection for the staged files of this installation.
    private let staging: RelativePath
    /// ``staging`` and the collections that contain it, the outermost first.
    private let collections: [RelativePath]
    /// The prefix of the names of this run; earlier runs used other prefixes.
    private let session = RandomName.component(prefix: "s").description
    private let state = Mutex(State())

    /// - Parameters:
    ///   - owner: The name of the synced folder.
    ///   - transfers: The records of large transfers; nil if they are not recorded.
    init(_ view: ServerView, owner: EntryName, transfers: TransferLedger?) {
        self.view = view
        self.transfers = transfers
        let own = RelativePath([Self.name, owner])
        staging = own.appending(.constant("staging"))
        collections = [RelativePath([Self.name]), own, staging]
    }

    /// A new temporary place for a staged file.
    func newPlace() -> RelativePath {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return staging.appending(EntryName("\(session)-\(number)") ?? .constant("staged"))
    }

    /// A new place for a directory that had this name. A server may have a trash, in which the place's name is shown.
    func newPlace(for name: EntryName?) -> RelativePath {
        let place = newPlace()
        guard let own = place.name, let name, own.bytes.count + name.bytes.count < Self.longestShown,
            let shown = EntryName(own.bytes + [UInt8(ascii: " ")] + name.bytes)
        else { return place }
        return place.parent.appending(shown)
    }

    /// The place with this name, which an earlier run may have created.
    func place(_ name: EntryName) -> RelativePath { staging.appending(name) }

    /// The items in the staging collection of this installation, by their places.
    func staged() async throws(DAVFailure) -> [RelativePath: ListedEntry] {
        let entries = try await view.list(staging).entries
        return Dictionary(entries.map { (staging.appending($0.name), $0) }) { first, _ in first }
    }

    /// Removes everything that a transfer left on the server.
    ///
    /// - Parameter chunks: Removes the chunks; nil for a server that supports no chunks.
    func remove(_ record: TransferRecord, _ chunks: ChunkedUpload?) async throws(DAVFailure) {
        try await remove(place(record.place), upload: record.upload, chunks)
    }

    /// Removes the file uploaded to a place, and its chunks.
    ///
    /// - Parameter upload: The collection of its chunks; nil if it has none.
    func remove(
        _ place: RelativePath, upload: EntryName?, _ chunks: ChunkedUpload?
    ) async throws(DAVFailure) {
        if let upload { try await chunks?.remove(upload) }
        do throws(DAVFailure) {
            _ = try await view.client.remove(place, isDirectory: false, if: .none)
        } catch {
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
        }
    }

    // MARK: Remains

    /// Removes a staged file. If that fails, it is tried again later: a file that a server refuses to place may be one
    /// that it refuses to remove.
    ///
    /// - Parameter mayAppear: Whether the server may still be writing it: a proxy gave up its upload.
    func dispose(_ place: RelativePath, mayAppear: Bool = false) async {
        let end: ContinuousClock.Instant = mayAppear ? .now + Patience.Server.largeFile : .now
        if await isDisposed(place, until: end) { return }
        state.withLock { state in
            state.remains[place] = end
            // What joined just now does not wait for as long as what was tried in vain again and again.
            guard state.sweeper == nil || state.pause > Patience.Server.remains else { return }
            state.sweeper?.cancel()
            state.pause = Patience.Server.remains
            state.sweeper = Task { [weak self] in
                while let pause = self?.pause {
                    do { try await Task.sleep(for: pause) } catch { return }
                    guard let self, await self.sweep() else { return }
                }
            }
        }
    }

    /// The pause before the next attempt to remove what remains.
    private var pause: Duration { state.withLock { $0.pause } }

    /// Removes what remains; whether to go on.
    private func sweep() async -> Bool {
        for (place, end) in state.withLock({ $0.remains }) where await isDisposed(place, until: end) {
            _ = state.withLock { $0.remains.removeValue(forKey: place) }
        }
        return state.withLock { state in
            // Another task goes on.
            if Task.isCancelled { return false }
            state.pause = min(state.pause * 2, Patience.Server.longestRemains)
            if state.remains.isEmpty { state.sweeper = nil }
            return !state.remains.isEmpty
        }
    }

    /// Whether a staged file is gone for good. One that is not there may still appear before `end`.
    private func isDisposed(_ place: RelativePath, until end: ContinuousClock.Instant) async -> Bool {
        do throws(DAVFailure) {
            _ = try await view.client.remove(place, isDirectory: false, if: .none)
            return true
        } catch {
            return (error.reason == .notFound || error.reason == .conflict) && end <= .now
        }
    }

    /// Once in a run, removes the leftovers of earlier runs, which are useless but need space.
    func tidy() {
        let isTidied = state.withLock { state in
            defer { state.isTidied = true }
            return state.isTidied
        }
        if !isTidied { Task { [weak self] in await self?.tidyNow() } }
    }

    private func tidyNow() async {
        do throws(DAVFailure) {
            try await removeLeftovers()
        } catch {
            // Where nothing was ever staged, nothing is left.
            if error.reason == .notFound || error.reason == .conflict { return }
            state.withLock { $0.isTidied = false }
        }
    }

    /// Creates the collections, and once in a run removes the leftovers of earlier runs.
    func make() async throws(DAVFailure) {
        if state.withLock({ $0.isMade }) { return }
        let areProbesRemoved = state.withLock { state in
            defer { state.areProbesRemoved = true }
            return state.areProbesRemoved
        }
        // Failures do not matter: leftovers are harmless, and a later run can remove them.
        async let probes: Void? = areProbesRemoved ? nil : try? InterruptedProbes.remove(from: view.client)
        for collection in collections { try await make(collection) }
        let isTidied = state.withLock { state in
            defer { state.isTidied = true }
            return state.isTidied
        }
        if !isTidied { try? await removeLeftovers() }
        _ = await probes
        state.withLock { $0.isMade = true }
    }

    /// Makes the next ``make()`` create the collections again, because a user may have deleted them.
    func mayBeGone() { state.withLock { $0.isMade = false } }

    private func make(_ path: RelativePath) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await view.client.makeDirectory(path)
        } catch {
            // It may exist already, or another client may be creating it now. The error for that differs between
            // servers.
            guard try await view.entry(path)?.kind == .directory else { throw error }
        }
    }

    /// Moves a directory that was moved aside, and is not empty, to a visible place in the root.
    func putBack(_ path: RelativePath) async throws(DAVFailure) {
        guard let name = path.name, let shown = EntryName("Recovered \(name.description)") else { return }
        _ = try await view.client.move(
            path, to: RelativePath([shown]), isDirectory: true, if: .none, overwrites: false)
    }

    private func removeLeftovers() async throws(DAVFailure) {
        // A directory that is aside is dealt with by its note.
        let asides = (transfers?.asides() ?? []).map(\.place)
        let kept = (transfers?.places(from: .local) ?? []).union(asides)
        for entry in try await view.list(staging).entries
        where !entry.name.description.hasPrefix(session) && !kept.contains(entry.name) {
            let path = staging.appending(entry.name)
            if entry.kind == .directory {
                // The directory was about to be removed, but another client may have added something to it since.
                if try await !view.isEmpty(path) {
                    // What cannot be moved now is found again by a later run.
                    try? await putBack(path)
                    continue
                }
                if view.traits.hidesDotFiles { continue }
            }
            _ = try? await view.client.remove(path, isDirectory: entry.kind == .directory, if: .none)
        }
    }
}
