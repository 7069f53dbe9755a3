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
        switch effect {
        case .discard: .done
        case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish,
            .makeDirectory,
            .setPermissions, .move, .displace, .replaceLocal, .discardLocal, .remove, .removeTree, .syncRenames,
            .within:
            .failed(EffectFailure(.notFound, "The root is not there."))
        }
    }
}

extension Effect {
    var isTransfer: Bool {
        if case .stage = self { true } else { false }
    }

    /// The file that it removes, or the directory with everything in it.
    var removal: (side: Side, path: RelativePath)? {
        switch self {
        case .remove(let side, let path, .file, _): (side, path)
        case .removeTree(let path, _, _): (.remote, path)
        case .remove, .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish,
            .makeDirectory, .setPermissions, .move, .displace, .replaceLocal, .discardLocal, .syncRenames, .discard,
            .within:
            nil
        }
    }

    /// Whether it only makes durable what other effects did.
    var isBarrier: Bool {
        switch self {
        case .syncContents, .syncRenames: true
        case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .publish, .makeDirectory,
            .setPermissions, .move, .displace, .replaceLocal, .discardLocal, .remove, .removeTree, .discard, .within:
            false
        }
    }

    /// The side on which something is looked at or changed; of a transfer the one that is read.
    var side: Side? {
        switch self {
        case .probeRoots: nil
        case .markRoot(let side, _): side
        case .listDirectory(let side, _, _), .checkEntry(let side, _, _), .hashFile(let side, _, _),
            .stage(_, let side, _, _), .syncContents(let side, _), .publish(_, let side, _, _, _),
            .makeDirectory(let side, _, _), .move(let side, _, _, _, _), .setPermissions(let side, _, _, _, _),
            .remove(let side, _, _, _),
            .syncRenames(let side, _), .discard(let side, _):
            side
        case .removeTree: .remote
        case .displace, .replaceLocal, .discardLocal: .local
        case .within(_, let effect): effect.side
        }
    }
}
