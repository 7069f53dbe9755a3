import SyncCore
import TestSupport

/// What a watcher tells of both sides: in order, but late, twice, and with paths that nobody knows. Paths are lost only
/// where an overflow is told instead. Items are told as the directory that they are in, but not where directories were
/// renamed: among more than 128 changes of one directory nobody would learn of one that was moved away and back.
struct Notices {
    private struct Notice {
        var side: Side
        var paths: [RelativePath]
        var isOverflow = false
        /// Whether directories were renamed.
        var hasMoves = false
    }

    private var waiting: [Notice] = []
    /// Sides that are asked now and then instead: then anything may have changed.
    var polled: Set<Side> = []
    /// One that was told before, to be told again.
    private var earlier: Notice?

    /// Whether everything was told.
    var isEmpty: Bool { waiting.isEmpty }

    /// Something changed at these paths.
    mutating func add(
        _ paths: [RelativePath], on side: Side, hasMoves: Bool = false, _ random: inout SeededRandom
    ) {
        if paths.isEmpty { return }
        if polled.contains(side) { return overflow(side) }
        // The worker's own directory is watched like any other.
        let own = random.oneIn(8) ? [Self.ownArea] : []
        waiting.append(Notice(side: side, paths: paths + own, hasMoves: hasMoves))
    }

    private static let ownArea = RelativePath([".roundel", "stage", "1"].compactMap { EntryName($0) })

    /// Anything may have changed on a side.
    mutating func overflow(_ side: Side) { waiting.append(Notice(side: side, paths: [], isOverflow: true)) }

    /// Nothing is told any more.
    mutating func removeAll() { (waiting, earlier) = ([], nil) }

    /// The next event: what happened first on a side, at times together with what followed.
    mutating func next(_ random: inout SeededRandom) -> SessionEvent? {
        guard let side = random.pick(waiting)?.side, let index = waiting.firstIndex(where: { $0.side == side }) else {
            return nil
        }
        var notice = waiting.remove(at: index)
        let isPatient = !random.oneIn(3)
        while isPatient || random.oneIn(2), let more = waiting.firstIndex(where: { $0.side == side }) {
            let other = waiting.remove(at: more)
            notice.paths += other.paths
            notice.isOverflow = notice.isOverflow || other.isOverflow
            notice.hasMoves = notice.hasMoves || other.hasMoves
        }
        if let earlier, random.oneIn(8) { waiting.append(earlier) }
        earlier = notice
        if random.oneIn(20) { notice.isOverflow = true }
        let isLost = notice.isOverflow && random.oneIn(2)
        let asDirectories = random.oneIn(3) && !notice.hasMoves
        let directories = Array(Set(notice.paths.map(\.parent))).sorted { "\($0)" < "\($1)" }
        return .changed(
            notice.side, directories: asDirectories && !isLost ? directories : [],
            items: asDirectories || isLost ? [] : notice.paths, isOverflow: notice.isOverflow)
    }
}
