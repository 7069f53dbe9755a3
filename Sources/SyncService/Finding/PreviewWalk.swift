internal import RoundelBus
internal import SyncCore
internal import SyncEngine
internal import Synchronization

/// Walks through both sides of a folder that may be added, from the top down, and counts. Writes nothing.
final class PreviewWalk: Sendable {
    /// How many directories are listed at a time.
    private static let atOnce = 8

    /// Lists a directory; nil if it cannot be read.
    typealias Lister = @Sendable (RelativePath) async -> [ListedEntry]?

    private let local: Lister
    private let remote: Lister
    private let tally: Mutex<PreviewTally>
    private let isStopped = Mutex(false)

    init(_ tally: PreviewTally, local: @escaping Lister, remote: @escaping Lister) {
        (self.local, self.remote) = (local, remote)
        self.tally = Mutex(tally)
    }

    /// What was counted so far.
    var counted: SyncPreview { tally.withLock { $0.result } }

    /// Stops after the listings that are under way.
    func stop() { isStopped.withLock { $0 = true } }

    /// Adds what is not counted.
    func note(free: Int64?, available: Int64?) { tally.withLock { $0.note(free: free, available: available) } }

    /// Returns when everything is counted; whether that is so.
    ///
    /// - Parameter sides: Those on which the folder is.
    func run(on sides: Set<Side>) async -> Bool {
        var directories = [PreviewTally.Directory(path: .root, sides: sides)]
        var isComplete = true
        while !directories.isEmpty {
            if isStopped.withLock({ $0 }) { return false }
            let next = Array(directories.prefix(Self.atOnce))
            directories.removeFirst(next.count)
            await withTaskGroup(of: (PreviewTally.Directory, [ListedEntry], [ListedEntry], Bool).self) { group in
                for directory in next {
                    group.addTask { [self] in
                        let here = directory.sides.contains(.local) ? await local(directory.path) : []
                        let there = directory.sides.contains(.remote) ? await remote(directory.path) : []
                        return (directory, here ?? [], there ?? [], here != nil && there != nil)
                    }
                }
                for await (directory, here, there, isWhole) in group {
                    directories += tally.withLock { $0.add(here, there, of: directory.path) }
                    if !isWhole { isComplete = false }
                }
            }
        }
        return isComplete
    }

    /// The entries of a remote that is reached over a network.
    static func list(_ path: RelativePath, of remote: any Remote) async -> [ListedEntry]? {
        var entries: [ListedEntry] = []
        var part = ListingPart(identity: .none)
        while true {
            guard let page = try? await remote.list(path, part) else { return nil }
            entries += page.entries
            guard let last = page.through else { return entries }
            part.after = last
        }
    }
}
