/// What became of a file on one side since it was last synced.
public enum SideChange: Hashable, Sendable, CaseIterable {
    /// It is not there.
    case absent
    /// It is exactly the version that was synced.
    case unchanged
    /// It is another version, or there is no base to tell.
    case changed
    /// The tag cannot tell: the contents must be hashed.
    case uncertain
}

/// What is to become of a file, from what became of it on both sides: the decision table of the planner.
public enum Verdict: Hashable, Sendable {
    /// Equal on both sides and known to be.
    case nothing
    /// Equal on both sides: write it down as the new base.
    case adopt
    /// Gone on both sides: forget the base.
    case forget
    /// Put it where it is not.
    case create(on: Side)
    /// Replace the version that is still the synced one.
    case update(on: Side)
    /// Delete the version that is still the synced one.
    case delete(on: Side)
    /// Deleted on one side, changed on the other: the change survives, as if it were new.
    case survive
    /// Two versions: both stay.
    case conflict
    /// It depends on the contents of this side.
    case hash(Side)

    /// The table. `areEqual` compares the contents of both sides: nil if that is not known yet.
    public static func of(
        local: SideChange, remote: SideChange, hasBase: Bool, areEqual: Bool?
    ) -> Verdict {
        if local == .absent || remote == .absent {
            return ofDeletion(local: local, remote: remote, hasBase: hasBase)
        }
        if !hasBase || (local == .changed && remote == .changed) {
            guard let areEqual else { return .hash(.local) }
            return areEqual ? .adopt : .conflict
        }
        switch (local, remote) {
        case (.uncertain, _): return .hash(.local)
        case (_, .uncertain): return .hash(.remote)
        case (.unchanged, .unchanged): return .nothing
        case (.changed, _): return .update(on: .remote)
        default: return .update(on: .local)
        }
    }

    private static func ofDeletion(local: SideChange, remote: SideChange, hasBase: Bool) -> Verdict {
        switch (local, remote) {
        case (.absent, .absent): return .forget
        case (.absent, let there):
            if !hasBase { return .create(on: .local) }
            if there == .uncertain { return .hash(.remote) }
            return there == .unchanged ? .delete(on: .remote) : .survive
        case (let there, _):
            if !hasBase { return .create(on: .remote) }
            if there == .uncertain { return .hash(.local) }
            return there == .unchanged ? .delete(on: .local) : .survive
        }
    }
}
