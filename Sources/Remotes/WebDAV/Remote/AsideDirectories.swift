import Support
import SyncCore
import SyncEngine
import Synchronization

/// A directory that is moved aside to be removed.
struct AsideDirectory: Hashable, Sendable {
    /// What it must be to be removed; otherwise it goes back to its path.
    enum Expectation: Hashable, Sendable {
        /// Nothing is in it.
        case empty
        /// It has this lasting ID and this tag, which changes with any change in it, at any depth.
        case whole(identity: Token, tag: Token)
    }

    /// Where it is put, in the engine's own collection.
    let place: RelativePath
    /// Where it was.
    let path: RelativePath
    let expectation: Expectation
}

/// Removes directories. A server removes a directory with whatever was added to it a moment ago, so it is first moved
/// aside, where few others reach it, looked at there, and then removed or moved back.
///
/// What is aside is hidden, so it never stays there: if the task is cancelled, the rest is still done. If the server
/// cannot be asked, that is repeated later in this run, and before the directory's parent is listed again. A directory
/// that is not empty is noted before it is moved, so that the next run finds it. Before each attempt to remove it, the
/// directory is looked at again.
final class AsideDirectories: Sendable {
    private enum Outcome {
        /// It is no longer aside: removed, or back because of this failure.
        case ended(DAVFailure?)
        /// It may be aside.
        case pending(DAVFailure)
    }

    private struct Entry {
        let directory: AsideDirectory
        /// How often it was still there after an attempt to remove it.
        var attempts = 0
        /// Whether it certainly was at its place.
        var isSeen = false
        /// Until when a move whose response was lost may still put it there.
        let end = ContinuousClock.now + Patience.Server.largeFile
        /// Whether a task is dealing with it.
        var isUnderWay: Bool
    }

    private struct State {
        var entries: [RelativePath: Entry] = [:]
        /// Whether the notes of earlier runs were read.
        var isLoaded = false
        /// Deals with the entries that are left; nil while there are none.
        var sweeper: Task<Void, Never>?
        /// The pause before its next attempt.
        var pause = Patience.Server.remains
    }

    /// How often a server is asked to remove a directory, until it is moved back.
    private static let mostAttempts = 4

    private let view: ServerView
    private let area: ServerArea
    private let ledger: TransferLedger?
    private let state = Mutex(State())

    /// - Parameter ledger: Where directories are noted; without it, a later run moves them to a visible place.
    init(_ view: ServerView, _ area: ServerArea, _ ledger: TransferLedger?) {
        self.view = view
        self.area = area
        self.ledger = ledger
    }

    /// Removes a directory if it is as expected; otherwise it is back at its path. If that is not known yet, this fails,
    /// and is dealt with later.
    func remove(_ path: RelativePath, as expectation: AsideDirectory.Expectation) async throws(DAVFailure) {
        try await area.make()
        let directory = AsideDirectory(
            place: area.newPlace(for: path.name), path: path, expectation: expectation)
        guard isNoted(directory) else { throw DAVFailure(.denied) }
        let (results, sink) = AsyncStream.makeStream(of: DAVFailure?.self)
        // It goes on if this task is cancelled.
        Task {
            sink.yield(await carryOut(directory))
            sink.finish()
        }
        for await failure in results {
            if let failure { throw failure }
            return
        }
        throw DAVFailure(.cancelled)
    }

    // MARK: Steps

    /// Moves a directory aside and deals with it; the failure, if it is not removed.
    private func carryOut(_ directory: AsideDirectory) async -> DAVFailure? {
        var lost: DAVFailure?
        do throws(DAVFailure) {
            _ = try await view.client.move(
                directory.path, to: directory.place, isDirectory: true, if: .none, overwrites: false)
            noteSeen(directory)
        } catch {
            guard error.isUndecided else {
                end(directory)
                return error
            }
            lost = error
        }
        switch await settle(directory) {
        case .ended(let failure):
            end(directory)
            return failure
        case .pending(let failure):
            postpone(directory)
            return lost ?? failure
        }
    }

    /// Looks at a directory that may be aside, and removes it or moves it back.
    private func settle(_ directory: AsideDirectory) async -> Outcome {
        do throws(DAVFailure) {
            guard try await isAsExpected(directory.expectation, at: directory.place) else {
                noteSeen(directory)
                let isEmpty = directory.expectation == .empty
                return await bringBack(directory, because: DAVFailure(isEmpty ? .notEmpty : .conditionFailed))
            }
        } catch {
            if error.reason == .notFound || error.reason == .conflict {
                return isSeen(directory) ? .ended(error) : .pending(error)
            }
            return .pending(error)
        }
        noteSeen(directory)
        return await removeAside(directory)
    }

    /// Whether the directory at a path is as expected. Fails with `notFound` if nothing is there.
    private func isAsExpected(
        _ expectation: AsideDirectory.Expectation, at path: RelativePath
    ) async throws(DAVFailure) -> Bool {
        guard case .whole(let identity, let tag) = expectation else { return try await view.isEmpty(path) }
        let found = try await view.item(path, isDirectory: true, view.versions.properties)
        let (kind, version) = try view.versions.entry(found, now: view.client.serverTime, year: view.client.year)
        return kind == .directory && version.identity == identity && view.versions.directoryTag(of: found) == tag
    }

    /// Removes a directory that is aside and was just as expected.
    private func removeAside(_ directory: AsideDirectory) async -> Outcome {
        // It may contain what the server does not show, and stays there.
        if view.traits.hidesDotFiles { return .ended(nil) }
        do throws(DAVFailure) {
            _ = try await view.client.remove(directory.place, isDirectory: true, if: .none)
            return .ended(nil)
        } catch {
            if error.reason == .notFound { return .ended(nil) }
            guard error.isUndecided else { return await bringBack(directory, because: error) }
            do throws(DAVFailure) {
                if try await view.entry(directory.place) == nil { return .ended(nil) }
            } catch { return .pending(error) }
            // The server may be busy removing it, but if that goes on, it is not hidden any longer.
            let isLast = noteAttempt(directory) >= Self.mostAttempts
            return isLast ? await bringBack(directory, because: error) : .pending(error)
        }
    }

    /// Moves a directory back to its path. If something else has its place by now, or its parent is gone, it gets a
    /// visible one.
    private func bringBack(_ directory: AsideDirectory, because failure: DAVFailure) async -> Outcome {
        let (place, path) = (directory.place, directory.path)
        do throws(DAVFailure) {
            try await view.move(place, to: path) { () throws(DAVFailure) in
                try await view.client.move(place, to: path, isDirectory: true, if: .none, overwrites: false)
            }
            return .ended(failure)
        } catch {
            if error.isUndecided { return .pending(error) }
        }
        do throws(DAVFailure) {
            try await area.putBack(place)
            return .ended(failure)
        } catch {
            return error.reason == .notFound ? .ended(failure) : .pending(error)
        }
    }

    // MARK: Later

    /// Deals with everything that is left, of earlier runs too.
    func settleAll() async {
        load()
        await settle { _ in true }
    }

    /// Deals with what is left of directories that were in this one. Fails if the server cannot be asked: then one of
    /// them may be missing from the listing, and is not deleted.
    func settle(in parent: RelativePath) async throws(DAVFailure) {
        if let failure = await settle({ $0.path.parent == parent }) { throw failure }
    }

    /// - Returns: A failure after which a directory is hidden.
    @discardableResult
    private func settle(_ isMeant: (AsideDirectory) -> Bool) async -> DAVFailure? {
        let meant = state.withLock { state in
            let found = state.entries.values.filter { !$0.isUnderWay && isMeant($0.directory) }
            for entry in found { state.entries[entry.directory.place]?.isUnderWay = true }
            return found
        }
        var failed: DAVFailure?
        for entry in meant {
            switch await settle(entry.directory) {
            case .ended: end(entry.directory)
            case .pending(let failure):
                let isAbsent = failure.reason == .notFound || failure.reason == .conflict
                if isAbsent && entry.end <= .now { end(entry.directory) } else { postpone(entry.directory) }
                if failure.isUndecided { failed = failure }
            }
        }
        return failed
    }

    private func load() {
        let isLoaded = state.withLock { state in
            defer { state.isLoaded = true }
            return state.isLoaded
        }
        if isLoaded { return }
        for record in ledger?.asides() ?? [] {
            let directory = AsideDirectory(
                place: area.place(record.place), path: record.path,
                expectation: .whole(identity: record.identity, tag: record.tag))
            state.withLock { state in
                if state.entries[directory.place] == nil {
                    state.entries[directory.place] = Entry(directory: directory, isUnderWay: false)
                }
            }
        }
    }

    /// Another attempt is made later.
    private func postpone(_ directory: AsideDirectory) {
        state.withLock { state in
            state.entries[directory.place]?.isUnderWay = false
            guard state.sweeper == nil else { return }
            state.pause = Patience.Server.remains
            state.sweeper = Task { [weak self] in
                while let pause = self?.pause {
                    do { try await Task.sleep(for: pause) } catch { return }
                    guard let self, await self.sweep() else { return }
                }
            }
        }
    }

    /// The pause before the next attempt.
    private var pause: Duration { state.withLock { $0.pause } }

    /// Deals with what is left; whether to go on.
    private func sweep() async -> Bool {
        await settle { _ in true }
        return state.withLock { state in
            state.pause = min(state.pause * 2, Patience.Server.longestRemains)
            if state.entries.isEmpty { state.sweeper = nil }
            return !state.entries.isEmpty
        }
    }

    // MARK: Notes

    /// Notes a directory that is about to be moved; false if that is not durable.
    private func isNoted(_ directory: AsideDirectory) -> Bool {
        if case .whole(let identity, let tag) = directory.expectation, let ledger, let place = directory.place.name {
            let record = AsideRecord(place: place, path: directory.path, identity: identity, tag: tag)
            guard ledger.note(record) else { return false }
        }
        state.withLock { $0.entries[directory.place] = Entry(directory: directory, isUnderWay: true) }
        return true
    }

    private func noteSeen(_ directory: AsideDirectory) {
        state.withLock { $0.entries[directory.place]?.isSeen = true }
    }

    /// The directory is still there after an attempt to remove it: the number of attempts.
    private func noteAttempt(_ directory: AsideDirectory) -> Int {
        state.withLock { state in
            state.entries[directory.place]?.attempts += 1
            return state.entries[directory.place]?.attempts ?? 0
        }
    }

    private func isSeen(_ directory: AsideDirectory) -> Bool {
        state.withLock { $0.entries[directory.place]?.isSeen ?? false }
    }

    private func end(_ directory: AsideDirectory) {
        _ = state.withLock { $0.entries.removeValue(forKey: directory.place) }
        if case .whole = directory.expectation, let place = directory.place.name { ledger?.forgetAside(place) }
    }
}
