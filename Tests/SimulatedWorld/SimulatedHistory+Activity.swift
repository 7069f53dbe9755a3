import SyncCore

/// What is shown of items while effects are under way.
extension SimulatedHistory {
    /// An effect that the session wants, with the item that it is for.
    mutating func make(_ id: EffectID, _ effect: Effect) throws -> Pending {
        var made = Pending(id: id, effect: effect)
        switch effect {
        case .stage(let stage, let side, let path, _):
            made.node = try store.trees.nodeID(at: path, in: side.tree)
            stages[stage] = made.node
        case .publish(let stage, _, _, _):
            made.node = stages[stage]
        case .move(let side, let path, _, _, _), .remove(let side, let path, _, _):
            made.node = try store.trees.nodeID(at: path, in: side.tree)
        default: break
        }
        return made
    }

    /// An item is shown as syncing while an effect of its own runs, and not while that only waits for its turn.
    func checkActivity() throws {
        for effect in pending {
            // What is gone meanwhile is not shown.
            guard let node = effect.node, let shown = published[node] else { continue }
            if case .stage = effect.effect, !effect.hasBegun {
                if shown == .syncing { throw violation("\(node) is shown as syncing before its transfer runs") }
            } else if shown < .syncing {
                throw violation("\(node) is shown as \(shown) while it is synced: \(effect.effect)")
            }
        }
        if steps % 8 == 0 { try checkPublished() }
    }

    /// While a root is away nothing is deleted on the other side that it holds.
    func checkRemoval(_ done: Pending) throws {
        guard case .remove(let side, let path, .file, _) = done.effect, case .done = done.result,
            let away = edge.away[Int(side.other.rawValue)], away.inode(at: path) != nil
        else { return }
        throw violation("\(path) was deleted on \(side) while the other root is away")
    }

    /// What was told of every item is what the session says of it.
    private func checkPublished() throws {
        for (id, told) in published {
            let shown = try session.presentation(of: id).state
            if shown != told { throw violation("\(id) is \(shown), told was \(told)") }
        }
    }
}
