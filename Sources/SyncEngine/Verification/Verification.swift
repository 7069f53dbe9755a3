import Glibc
import Support
package import SyncCore
import Synchronization

/// Compares every byte of a folder on both sides and reports the differences.
///
/// It only reads, and runs on a thread of its own beside the sync. What looks different is checked again when nothing
/// is in flight. It counts as a difference only if the folder knows exactly this state and has nothing to do about it:
/// what changes meanwhile is not a difference.
package final class Verification: Sendable {
    private let local: any Endpoint
    private let remote: any Endpoint
    private let excludes: ExcludePatterns
    private let folder: any VerifiedFolder
    private let cancelled = Atomic<Bool>(false)

    /// A verification of two sides that has not started yet.
    ///
    /// - Parameter excludes: What is neither synced nor compared.
    package init(
        local: any Endpoint, remote: any Endpoint, excludes: ExcludePatterns, folder: any VerifiedFolder
    ) {
        self.local = local
        self.remote = remote
        self.excludes = excludes
        self.folder = folder
    }

    /// Cancels it, from any thread.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Compares the item at a path and everything below it. Takes as long as the sides do, on a thread that may block.
    /// - Throws: The reason if the item cannot be examined on one of the sides.
    package func run(at path: RelativePath) async throws(EffectFailure) -> VerificationResult {
        var walk = Walk(self)
        try await walk.begin(at: path)
        await walk.finish()
        return walk.result
    }

    private var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    private func endpoint(_ side: Side) -> any Endpoint {
        switch side {
        case .local: local
        case .remote: remote
        }
    }

    private func isExcluded(_ entry: ListedEntry, at path: RelativePath) -> Bool {
        switch entry.kind {
        case .symlink, .special: true
        case .file, .directory: excludes.excludes(path, kind: entry.kind)
        }
    }

    // MARK: The walk

    /// One walk through both sides.
    private struct Walk {
        private(set) var result = VerificationResult()
        private let verification: Verification
        /// Directories that exist on both sides and were not visited yet.
        private var directories: [RelativePath] = []
        /// Items that looked different, to be checked again.
        private var suspects: [RelativePath] = []
        /// Items that could not be read.
        private var unread: [Suspect] = []
        /// Items that were checked again already.
        private var seenAgain: Set<RelativePath> = []
        private var reported = SuspendingClock.now

        /// How many items are checked again together.
        private static let atOnce = 256

        init(_ verification: Verification) { self.verification = verification }

        private var isCancelled: Bool { verification.isCancelled }

        /// Starts at a path.
        mutating func begin(at path: RelativePath) async throws(EffectFailure) {
            guard path.isRoot else {
                let entries = (
                    try await verification.local.entry(path, in: .none),
                    try await verification.remote.entry(path, in: .none)
                )
                return note(await look(path, entries.0, entries.1), at: path)
            }
            // If the root cannot be listed on a side, there is no result for its contents.
            for side in Side.allCases { _ = try await verification.endpoint(side).list(.root, identity: .none) }
            directories.append(path)
        }

        /// Runs to the end.
        mutating func finish() async {
            while !isCancelled {
                if let directory = directories.popLast() {
                    await visit(directory)
                } else if suspects.isEmpty && unread.isEmpty {
                    return verification.folder.report(result)
                }
                if directories.isEmpty || suspects.count + unread.count >= Self.atOnce { await lookAgain() }
            }
        }

        private mutating func visit(_ directory: RelativePath) async {
            var entries: [Side: [ListedEntry]] = [:]
            for side in Side.allCases {
                do throws(EffectFailure) {
                    entries[side] = try await verification.endpoint(side).list(directory, identity: .none).entries
                } catch {
                    return failed(error, at: directory, on: side)
                }
            }
            for pair in PairedEntry.pairs(entries[.local] ?? [], entries[.remote] ?? []) {
                if isCancelled { return }
                let path = directory.appending(pair.name)
                note(await look(path, pair.local, pair.remote), at: path)
            }
        }

        private mutating func note(_ sight: Sight?, at path: RelativePath) {
            switch sight {
            case .unlike, .changing: suspects.append(path)
            case .unread(let suspect): unread.append(suspect)
            case nil: break
            }
        }

        /// An item could not be examined.
        private mutating func failed(_ failure: EffectFailure, at path: RelativePath, on side: Side) {
            switch failure.reason {
            case .changed, .notFound, .exists, .notEmpty, .busy, .putOff:
                // It vanished or was replaced a moment ago.
                if seenAgain.insert(path).inserted { suspects.append(path) } else { result.waiting += 1 }
            case .nameClash, .denied, .noSpace, .io, .unreachable, .notMounted:
                unread.append(Suspect(path: path, sight: .unreadable(side, failure.message), seen: [:]))
            }
        }

        // MARK: Looking

        /// How an item looked that differs between the sides.
        private enum Sight {
            case unlike(Suspect)
            case changing
            case unread(Suspect)
        }

        /// Compares an item; nil if there is nothing to report. A directory on both sides is visited later.
        private mutating func look(_ path: RelativePath, _ here: ListedEntry?, _ there: ListedEntry?) async -> Sight? {
            if let here, verification.isExcluded(here, at: path) { return nil }
            if let there, verification.isExcluded(there, at: path) { return nil }
            let seen = [Side.local: here?.version, .remote: there?.version].compactMapValues { $0 }
            guard let here, let there else {
                if seen.isEmpty { return nil }
                return .unlike(Suspect(path: path, sight: .missing(here == nil ? .local : .remote), seen: seen))
            }
            if here.kind != there.kind { return .unlike(Suspect(path: path, sight: .different, seen: seen)) }
            if here.kind == .directory {
                directories.append(path)
                return nil
            }
            // The contents of a placeholder are on one side alone.
            return here.version.residence == .here ? await compare(path, here.version, there.version) : nil
        }

        private mutating func compare(_ path: RelativePath, _ here: Version, _ there: Version) async -> Sight? {
            let before = result.bytes
            let comparison = ContentComparison(local: verification.local, remote: verification.remote)
            let outcome = await comparison.compare(path, local: here, remote: there) { count in
                result.bytes += Int64(count)
                report()
                return !isCancelled
            }
            if outcome == .equal {
                result.files += 1
                return nil
            }
            // What will be read again is counted then.
            result.bytes = before
            switch outcome {
            case .equal, .cancelled: return nil
            case .changing: return .changing
            case .different:
                return .unlike(Suspect(path: path, sight: .different, seen: [.local: here, .remote: there]))
            case .unreadable(let side, let message):
                return .unread(Suspect(path: path, sight: .unreadable(side, message), seen: [:]))
            }
        }

        // MARK: Judging

        /// Checks the suspects again when nothing is in flight, and determines which of them will stay as they are.
        private mutating func lookAgain() async {
            let paths = suspects
            var found = unread
            (suspects, unread) = ([], [])
            if !paths.isEmpty { verification.folder.settle() }
            for path in paths where !isCancelled {
                switch await lookAgain(path) {
                case .unlike(let suspect), .unread(let suspect): found.append(suspect)
                case .changing: result.waiting += 1
                case nil: break
                }
            }
            judge(found)
        }

        private mutating func lookAgain(_ path: RelativePath) async -> Sight? {
            var entries: [Side: ListedEntry] = [:]
            for side in Side.allCases {
                do throws(EffectFailure) {
                    entries[side] = try await verification.endpoint(side).entry(path, in: .none)
                } catch {
                    return .unread(Suspect(path: path, sight: .unreadable(side, error.message), seen: [:]))
                }
            }
            return await look(path, entries[.local], entries[.remote])
        }

        private mutating func judge(_ found: [Suspect]) {
            guard !found.isEmpty else { return }
            pause()
            if isCancelled { return }
            verification.folder.settle()
            let standings = verification.folder.standings(of: found)
            guard standings.count == found.count else {
                // Nobody knows whether they will stay as they are. They must not pass for equal.
                result.waiting += found.count
                return report()
            }
            for (suspect, standing) in zip(found, standings) {
                switch standing {
                case .settled: result.add(VerifiedItem(suspect))
                case .waiting: result.waiting += 1
                case .unnoticed:
                    if seenAgain.insert(suspect.path).inserted {
                        suspects.append(suspect.path)
                    } else {
                        result.waiting += 1
                    }
                case .excluded: break
                }
            }
            report()
        }

        /// Waits until an earlier change has been reported, if the side reports changes.
        private func pause() {
            let end = SuspendingClock.now + Patience.Verification.watcher
            while SuspendingClock.now < end && !isCancelled { usleep(20_000) }
        }

        private mutating func report() {
            let now = SuspendingClock.now
            guard now - reported >= Patience.Verification.report else { return }
            reported = now
            verification.folder.report(result)
        }
    }
}

extension VerifiedItem {
    fileprivate init(_ suspect: Suspect) {
        switch suspect.sight {
        case .different: self.init(path: suspect.path, finding: .different)
        case .missing(.local): self.init(path: suspect.path, finding: .missingLocal)
        case .missing(.remote): self.init(path: suspect.path, finding: .missingRemote)
        case .unreadable(_, let message): self.init(path: suspect.path, finding: .unreadable, message: message)
        }
    }
}

/// The entries of one name in a directory on the two sides.
struct PairedEntry: Equatable {
    var name: EntryName
    var local: ListedEntry?
    var remote: ListedEntry?

    /// Every name of either listing once, ordered by its bytes.
    static func pairs(_ local: [ListedEntry], _ remote: [ListedEntry]) -> [PairedEntry] {
        var pairs: [EntryName: PairedEntry] = [:]
        for entry in local { pairs[entry.name, default: PairedEntry(name: entry.name)].local = entry }
        for entry in remote { pairs[entry.name, default: PairedEntry(name: entry.name)].remote = entry }
        return pairs.values.sorted { $0.name < $1.name }
    }
}
