import SyncCore

/// A file system that is mounted at times at a directory in the root of a side.
struct SimulatedMount {
    /// The name of the directory. Nobody moves or removes it: that is refused while something is mounted there.
    static let name = EntryName("mount") ?? .root

    /// The root of the file system.
    let root: Int
    /// The directory below it, which is empty.
    let under: Int
    var isMounted = true
}

extension SimulatedEdge {
    /// Whether a file system is mounted at a place.
    func isMounted(_ point: MountPoint) -> Bool {
        guard let mount = self[point.side].mount else { return false }
        return self[point.side].inode(at: point.path) == mount.root
    }

    /// The failure that an effect moves or removes the place at which a file system is mounted.
    func mountedThere(_ footprint: Footprint) -> EffectResult? {
        let taken = footprint.paths(where: \.takesAway)
        guard let side = footprint.side, let mount = self[side].mount,
            taken.contains(where: { self[side].inode(at: $0) == mount.root })
        else { return nil }
        return .failed(EffectFailure(.denied, Self.inUse))
    }

    /// What is said of a directory at which a file system is mounted.
    static let inUse = Explanation(.inUse)

    /// The side that has a file system mounted in it at times.
    var mountSide: Side? { Side.allCases.first { self[$0].mount != nil } }

    /// What a side holds, once for each name, also where nobody sees it now: in its own root while that is away, in its file
    /// system while that is not mounted, and on its way from its name to one beside it. What was moved there before was
    /// seen to be gone from its place, and is not lost.
    func allNumbers(on side: Side) -> [Int] {
        let disk = own(side)
        let hidden = disk.mount.map { $0.isMounted ? [] : disk.numbers(from: $0.root) } ?? []
        let underWay = disk.state.slots.keys.sorted().flatMap { disk.numbers(from: $0) }
        return disk.numbers(from: SimulatedDisk.root) + hidden + underWay
    }

    /// Whether something may be given this name on a side: not where a file system belongs that is not mounted.
    func isHidden(_ path: RelativePath, on side: Side) -> Bool {
        self[side].mount?.isMounted == false && path.names.first == SimulatedMount.name
    }
}

extension SimulatedHistory {
    /// A file system comes or goes; the watcher may tell that what was in it is gone.
    mutating func changeMount() throws {
        guard let side = edge.mountSide, let isMounted = edge[side].mount?.isMounted else { return }
        // What was never seen mounted is an empty directory.
        if try isMounted && !knowsMount(side) { return }
        let paths = edge[side].walk().map(\.path).filter { $0.names.first == SimulatedMount.name }
        edge[side].setMounted(!isMounted)
        unmounted = isMounted ? steps : nil
        log { "the file system on \(side) is \(isMounted ? "unmounted" : "mounted")" }
        user.ledger.race()
        if random.oneIn(2) { notices.add(Array(paths.prefix(random.below(4) + 1)), on: side, &random) }
    }

    /// A session that does not know of the file system finds it mounted.
    mutating func bringUnknownMountBack() throws {
        guard let side = edge.mountSide, edge[side].mount?.isMounted == false, try !knowsMount(side) else { return }
        bringMountBack()
    }

    /// The file system is mounted from now on.
    mutating func bringMountBack() {
        guard let side = edge.mountSide else { return }
        edge[side].setMounted(true)
        unmounted = nil
    }

    private func knowsMount(_ side: Side) throws -> Bool { try !store.trees.mountRoots(on: side).isEmpty }

    /// While a file system is not mounted nothing that is in it is deleted on the other side, and nothing is put where
    /// it belongs.
    func checkMount(_ done: Pending) throws {
        guard let side = edge.mountSide, let mount = edge[side].mount, !mount.isMounted else { return }
        if edge[side].state.inodes[mount.under]?.children.isEmpty == false {
            throw violation("something was put below a place at which nothing is mounted: \(done.effect)")
        }
        guard done.effect.removal?.side == side.other, case .done = done.result, let since = unmounted,
            done.step > since
        else { return }
        for (path, content) in done.contents where edge[side].hiddenContent(at: path) == content {
            throw violation("\(path) was deleted on \(side.other) while it is in a file system that is not mounted")
        }
    }
}
