import SyncCore
import TestSupport

/// Something that a side refuses for as long as it lasts.
enum SimulatedRefusal {
    /// The disk is full: no contents and no directories come to it.
    case full(Side)
    /// A directory cannot be listed.
    case unlisted(Side, Int)
    /// Nothing in a directory can be made, moved or removed.
    case unwritable(Side, Int)
    /// A name cannot be given.
    case name(Side, EntryName)

    var side: Side {
        switch self {
        case .full(let side), .unlisted(let side, _), .unwritable(let side, _), .name(let side, _): side
        }
    }
}

extension SimulatedEdge {
    /// What an effect comes to that a side refuses; nil if none does.
    func refusal(of effect: Effect) -> EffectResult? {
        guard let refusal else { return nil }
        let footprint = effect.footprint
        let spots = footprint.spots.filter { $0.side == refusal.side }
        switch refusal {
        case .full(let side):
            let takesRoom = spots.contains { $0.touch == .stage || $0.touch == .make(.directory) }
            return takesRoom ? .failed(EffectFailure(.noSpace, Explanation(.noSpace, side, ""))) : nil
        case .unlisted(let side, let directory):
            guard let spot = spots.first(where: { $0.touch == .list }), self[side].inode(at: spot.path) == directory
            else { return nil }
            return .failed(EffectFailure(.denied, Explanation(.denied, side, "\(spot.path)")))
        case .unwritable(let side, let directory):
            let isMeant = spots.contains { spot in
                spot.touch.isChange && spot.touch != .setPermissions
                    && (self[side].inode(at: spot.path.parent) == directory || isWithRemoved(directory, spot))
            }
            return isMeant ? .failed(EffectFailure(.denied, Explanation(.denied, side, ""))) : nil
        case .name(_, let name):
            // What is exchanged has that name already.
            let isGiven = footprint.newPaths.contains { $0.name == name } && !spots.isEmpty
            return isGiven ? .failed(EffectFailure(.nameClash, Self.clash)) : nil
        }
    }
}

extension SimulatedEdge {
    /// Whether a directory of the remote in which there is something would go with one that is removed as a whole.
    private func isWithRemoved(_ directory: Int, _ spot: Footprint.Spot) -> Bool {
        guard spot.side == .remote, spot.touch == .discard, let top = self[.remote].inode(at: spot.path) else {
            return false
        }
        return self[.remote].subtree(top)[directory]?.children.isEmpty == false
    }
}

extension Footprint {
    /// Where it gives a name that nothing has.
    fileprivate var newPaths: [RelativePath] {
        let taken = paths(where: \.takesAway)
        return paths { $0 == .make(.file) || $0 == .make(.directory) || $0 == .arrive }.filter { !taken.contains($0) }
    }
}

extension SimulatedHistory {
    /// A side begins to refuse something, or ends it.
    mutating func changeRefusal() {
        if edge.refusal != nil {
            edge.refusal = nil
        } else {
            let side: Side = random.oneIn(2) ? .local : .remote
            let directories = edge[side].walk().map(\.inode)
                .filter { edge[side].state.inodes[$0]?.kind == .directory && $0 != edge[side].mount?.root }
            let directory = random.pick(directories) ?? SimulatedDisk.root
            let names = edge[side.other].walk().compactMap(\.path.name)
            switch random.below(4) {
            case 0: edge.refusal = .full(side)
            case 1: edge.refusal = .unlisted(side, directory)
            case 2: edge.refusal = .unwritable(side, directory)
            default: edge.refusal = random.pick(names).map { .name(side, $0) }
            }
        }
        user.ledger.disturb()
        log { "refused is now \(String(describing: edge.refusal))" }
    }

    /// While a side refuses something all else is synced, and what is not is shown.
    mutating func restRefused() throws {
        guard let refusal = edge.refusal else { return }
        try tell(.command(.syncNow))
        // Where every step takes a second, what is tried again may leave no rest.
        try workOff(seconds: 60, isCutShort: true)
        if isAtRest { try checkShown() }
        log { "no longer refused: \(refusal)" }
        edge.refusal = nil
    }
}
