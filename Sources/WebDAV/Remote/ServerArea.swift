import SyncCore
import SyncEngine
import Synchronization

/// The engine's own collection on a server: the mark of the root, and what is staged before it gets its name.
///
/// Several installations may use one server, each with a collection of its own in it.
final class ServerArea: Sendable {
    private struct State {
        var count: UInt64 = 0
        var isMade = false
        /// Whether what earlier runs left was removed, or is being.
        var isTidied = false
    }

    /// The name in the root; never synced, whatever it holds.
    static let name = EntryName.constant(".roundel")
    /// The mark of the root.
    static let mark = RelativePath([name, .constant("root")])
    /// Bytes of a mark: hexadecimal digits.
    static let markLength = 32

    private let view: ServerView
    /// Notes what earlier runs have left to go on with.
    private let transfers: TransferLedger?
    /// Where this installation stages.
    private let staging: RelativePath
    /// The collections that lead there, the outermost first.
    private let collections: [RelativePath]
    /// Begins the names of this run; those of earlier ones begin otherwise.
    private let session = RandomName.component(prefix: "s").description
    private let state = Mutex(State())

    /// - Parameters:
    ///   - owner: The folder that is synced.
    ///   - transfers: Where large transfers are noted; nil if they are not.
    init(_ view: ServerView, owner: EntryName, transfers: TransferLedger?) {
        self.view = view
        self.transfers = transfers
        let own = RelativePath([Self.name, owner])
        staging = own.appending(.constant("staging"))
        collections = [RelativePath([Self.name]), own, staging]
    }

    /// A place for something that is to have no name of a person's for a while.
    func newPlace() -> RelativePath {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return staging.appending(EntryName("\(session)-\(number)") ?? .constant("staged"))
    }

    /// The place of this name, which an earlier run may have made.
    func place(_ name: EntryName) -> RelativePath { staging.appending(name) }

    /// What the server has of all that this installation stages, by its place.
    func staged() async throws(DAVFailure) -> [RelativePath: ListedEntry] {
        let entries = try await view.list(staging).entries
        return Dictionary(entries.map { (staging.appending($0.name), $0) }) { first, _ in first }
    }

    /// Removes all that a transfer has left on the server.
    ///
    /// - Parameter chunks: Where its chunks are; nil for a server that takes none.
    func remove(_ record: TransferRecord, _ chunks: ChunkedUpload?) async throws(DAVFailure) {
        try await remove(place(record.place), upload: record.upload, chunks)
    }

    /// Removes what was uploaded to a place, and the chunks of it.
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

    /// Makes our own collections, and removes what earlier runs left in them.
    func make() async throws(DAVFailure) {
        if state.withLock({ $0.isMade }) { return }
        for collection in collections { try await make(collection) }
        let isTidied = state.withLock { state in
            defer { state.isTidied = true }
            return state.isTidied
        }
        if !isTidied {
            // They are in nobody's way; a later run finds them as well.
            try? await removeLeftovers()
            try? await InterruptedProbes.remove(from: view.client)
        }
        state.withLock { $0.isMade = true }
    }

    /// Somebody who tidies up may have taken our collections away: they are made anew for the next attempt.
    func mayBeGone() { state.withLock { $0.isMade = false } }

    private func make(_ path: RelativePath) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await view.client.makeDirectory(path)
        } catch {
            // It is there already, or somebody else makes it in this moment, of which servers say anything.
            guard try await view.entry(path)?.kind == .directory else { throw error }
        }
    }

    /// Gives a directory that was moved aside, and is not empty, a place where it is seen.
    private func putBack(_ path: RelativePath, _ name: EntryName) async throws(DAVFailure) {
        guard let shown = EntryName("Recovered \(name.description)") else { return }
        _ = try await view.client.move(
            path, to: RelativePath([shown]), isDirectory: true, if: .none, overwrites: false)
    }

    private func removeLeftovers() async throws(DAVFailure) {
        let kept = transfers?.places(from: .local) ?? []
        for entry in try await view.list(staging).entries
        where !entry.name.description.hasPrefix(session) && !kept.contains(entry.name) {
            let path = staging.appending(entry.name)
            if entry.kind == .directory {
                // It was to be removed, and may have got something since, which is somebody's.
                if try await !view.isEmpty(path) {
                    try await putBack(path, entry.name)
                    continue
                }
                if view.traits.hidesDotFiles { continue }
            }
            _ = try? await view.client.remove(path, isDirectory: entry.kind == .directory, if: .none)
        }
    }
}
