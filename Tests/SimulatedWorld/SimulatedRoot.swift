import SyncCore

/// What stands at the place of a root.
enum SimulatedRoot {
    /// The folder that is synced.
    case own
    /// Nothing: it is not mounted, or was moved away.
    case missing
    /// Another directory.
    case another

    func identity(_ side: Side) -> Token { Token([side.rawValue, self == .another ? 1 : 0]) }
}

extension SimulatedEdge {
    /// The folder's own disk, wherever it is.
    func own(_ side: Side) -> SimulatedDisk { away[Int(side.rawValue)] ?? self[side] }

    /// The folder's own root goes away; something else may come in its place.
    mutating func loseRoot(_ side: Side, to root: SimulatedRoot) {
        let index = Int(side.rawValue)
        guard roots[index] == .own else { return }
        roots[index] = root
        away[index] = disks[index]
        disks[index] = SimulatedDisk(grain: disks[index].grain)
        if root == .another, let name = EntryName("stranger") {
            _ = disks[index].create(.file, content: 0, size: 5, at: RelativePath([name]), now: now)
        }
    }

    /// The folder's own root comes back; false if something was done to what stood in its place.
    mutating func bringRootBack(_ side: Side) -> Bool {
        let index = Int(side.rawValue)
        guard let own = away[index] else { return true }
        let isUntouched = disks[index].walk().count == (roots[index] == .another ? 1 : 0)
        disks[index] = own
        away[index] = nil
        roots[index] = .own
        return isUntouched
    }

    mutating func probe(_ side: Side) -> RootState {
        let root = roots[Int(side.rawValue)]
        if root == .missing { return .missing("It is not there.") }
        probed[Int(side.rawValue)] = root.identity(side)
        return .present(
            identity: root.identity(side), generation: side == .local ? .none : Token([generation]),
            tag: self[side].tag(of: SimulatedDisk.root))
    }

    /// Whether the root is the one that was probed last.
    func isThere(_ side: Side) -> Bool {
        let root = roots[Int(side.rawValue)]
        return root != .missing && probed[Int(side.rawValue)] == root.identity(side)
    }

    /// What an effect comes to below a root that is not there.
    func absent(_ effect: Effect) -> EffectResult {
        if case .discard = effect { return .done }
        return .failed(EffectFailure(.notFound, "The root is not there."))
    }
}

extension Effect {
    /// The file that it removes, or the directory with everything in it.
    var removal: (side: Side, path: RelativePath)? {
        if case .remove(let side, let path, .file, _) = self { return (side, path) }
        if case .removeTree(let path, _, _) = self { return (.remote, path) }
        return nil
    }
}
