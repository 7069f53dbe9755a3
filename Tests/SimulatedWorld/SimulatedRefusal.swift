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
        if case .within(_, let inner) = effect { return self.refusal(of: inner) }
        guard let refusal else { return nil }
        switch refusal {
        case .full(let full):
            switch effect {
            case .stage(_, full.other, _, _), .makeDirectory(full, _, _):
                return .failed(EffectFailure(.noSpace, Explanation(.noSpace, full, "")))
            case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish,
                .makeDirectory, .setPermissions, .move, .displace, .replaceLocal, .discardLocal, .remove, .removeTree,
                .syncRenames, .discard, .within:
                return nil
            }
        case .unlisted(let side, let directory):
            guard case .listDirectory(side, let path, _) = effect, self[side].inode(at: path) == directory else {
                return nil
            }
            return .failed(EffectFailure(.denied, Explanation(.denied, side, "\(path)")))
        case .unwritable(let side, let directory):
            let changed = effect.changedPaths.filter { $0.side == side }.flatMap(\.paths)
            let isInside = changed.contains { self[side].inode(at: $0.parent) == directory }
            guard isInside || isWithRemovedTree(directory, on: side, effect) else { return nil }
            if case .setPermissions = effect { return nil }
            return .failed(EffectFailure(.denied, Explanation(.denied, side, "")))
        case .name(let side, let name):
            switch effect {
            case .publish(_, side, let path, nil, _), .makeDirectory(side, let path, _),
                .move(side, _, let path, _, _):
                return path.name == name ? .failed(EffectFailure(.nameClash, Self.clash)) : nil
            case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish,
                .makeDirectory, .setPermissions, .move, .displace, .replaceLocal, .discardLocal, .remove, .removeTree,
                .syncRenames, .discard, .within:
                return nil
            }
        }
    }
}

extension SimulatedEdge {
    /// Whether a directory in which there is something would go with the directory that an effect removes.
    private func isWithRemovedTree(_ directory: Int, on side: Side, _ effect: Effect) -> Bool {
        guard side == .remote, case .removeTree(let path, _, _) = effect, let top = self[side].inode(at: path) else {
            return false
        }
        return self[side].subtree(top)[directory]?.children.isEmpty == false
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
