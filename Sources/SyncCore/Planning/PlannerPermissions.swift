/// The permission bits of items that exist on both sides, and of items that are new on one.
extension Planner {
    /// The next permission change that an otherwise equal item needs; nil if there is none.
    func permissionsDecision(_ rows: Rows) -> Decision? {
        for side in Side.allCases {
            guard let version = rows[side]?[side], let wanted = wanted(rows, on: side) else { continue }
            if wanted != version.permissions { return .setPermissions(side, expected: version, wanted) }
        }
        return nil
    }

    /// The permissions for what a decision places; nil if one of the sides has no permissions, if the decision places
    /// nothing, or for a placeholder, which keeps its own.
    func permissions(of id: NodeID, for decision: Decision) throws -> Permissions? {
        let rows = try rows(id)
        switch decision {
        case .transfer(let from, let source, _, let replaced):
            if let replaced { return replaced.residence == .here ? merged(rows, on: from.other) : nil }
            return try limited(source.permissions, rows, on: from.other)
        case .describe(let source, _, nil): return try limited(source.permissions, rows, on: .local)
        case .makeDirectory(let side, _):
            // Its contents will follow.
            return try limited(rows[side.other]?[side.other]?.permissions, rows, on: side)?.union(.owner)
        case .setPermissions(_, _, let permissions): return permissions
        case .displace(let displaced, .contents(let source), _):
            return displaced.limiting(source.permissions)
        case .displace(let displaced, .directory, _):
            return displaced.limiting(rows.remote?.remote?.permissions)?.union(.owner)
        case .displace(_, .item, _), .describe, .free, .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash,
            .move, .remove, .removeTree, .discard, .promoteCopy, .wait, .unseen, .blocked:
            return nil
        }
    }

    /// The permissions that an item should have on a side; nil if nothing is wanted of them there.
    private func wanted(_ rows: Rows, on side: Side) -> Permissions? {
        // A remote that keeps permissions tells nothing of what its user may do.
        merged(rows, on: side) ?? (side == .local ? allowed(rows) : nil)
    }

    private func merged(_ rows: Rows, on side: Side) -> Permissions? {
        guard let own = course(rows, on: side), let other = course(rows, on: side.other) else { return nil }
        return Permissions.merged(own, with: other, kind: rows.kind)
    }

    private func course(_ rows: Rows, on side: Side) -> Permissions.Course? {
        rows[side]?[side]?.permissions.map { Permissions.Course(agreed: rows.synced?[side]?.permissions, now: $0) }
    }

    /// The permissions of something new on a side. An item that takes the name of a local version in conflict must not
    /// be accessible to more people than that version was.
    private func limited(_ source: Permissions?, _ rows: Rows, on side: Side) throws -> Permissions? {
        guard side == .local, let status = try store.status(rows.id), !status.isLocalVersion,
            let copy = try status.counterpart.flatMap({ try store.node($0, in: .local) }),
            let limit = copy.local?.permissions
        else { return source }
        return source?.limited(by: limit) ?? limit
    }
}

extension Displacement {
    /// The item that takes the name must not be accessible to more people than this one was.
    fileprivate func limiting(_ source: Permissions?) -> Permissions? {
        guard let limit = expected.permissions else { return source }
        return source?.limited(by: limit) ?? limit
    }
}
