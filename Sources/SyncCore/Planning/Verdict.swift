/// What happened to a file on one side since it was last synced.
package enum SideChange: Hashable, Sendable, CaseIterable {
    /// It is not there.
    case absent
    /// It is exactly the version that was synced.
    case unchanged
    /// It is another version, or there is no base to compare it with.
    case changed
    /// The tag is not conclusive: the contents must be hashed.
    case uncertain
}

/// What to do with a file, depending on what happened to it on both sides: the decision table of the planner.
package enum Verdict: Hashable, Sendable {
    /// Known to be equal on both sides.
    case nothing
    /// Equal on both sides: record this as the new base.
    case adopt
    /// Gone on both sides: forget the base.
    case forget
    /// Create it on the side where it is missing.
    case create(on: Side)
    /// Replace the version that is still the synced one.
    case update(on: Side)
    /// Delete the version that is still the synced one.
    case delete(on: Side)
    /// Deleted on one side, changed on the other: the change survives, as if it were new.
    case survive
    /// Two versions: both stay.
    case conflict
    /// The contents of this side must be hashed to decide.
    case hash(Side)
    /// Bring the remote's contents to the placeholder on this computer.
    case fetch
    /// Leave a placeholder of the contents on this computer, which the remote has as well.
    case free
    /// Make a placeholder of the remote's file, or bring the one that is there up to date, without contents.
    case describe
    /// A placeholder of contents that are nowhere: it stays as it is.
    case orphan

    /// The table.
    ///
    /// - Parameters:
    ///   - areEqual: Whether the contents of both sides are equal; nil if the result is not known yet.
    ///   - residence: Where the contents of the local file are.
    ///   - wish: Where they should be. If everything is wanted here and is, the rest of the table decides alone.
    package static func of(
        local: SideChange, remote: SideChange, hasBase: Bool, areEqual: Bool?, residence: Residence = .here,
        wish: Wish = .alwaysHere
    ) -> Verdict {
        switch residence {
        case .here:
            let verdict = ofContents(local: local, remote: remote, hasBase: hasBase, areEqual: areEqual)
            if verdict == .nothing && wish == .remoteAlone { return .free }
            return verdict == .create(on: .local) && wish != .alwaysHere ? .describe : verdict
        case .remoteAlone: return ofPlaceholder(remote: remote, hasBase: hasBase, wish)
        }
    }

    /// A placeholder is what the remote held, whatever was done to it: it is never transferred to the remote.
    private static func ofPlaceholder(remote: SideChange, hasBase: Bool, _ wish: Wish) -> Verdict {
        let update = wish == .alwaysHere ? Verdict.fetch : .describe
        switch (remote, hasBase) {
        case (.absent, true): return .delete(on: .local)
        case (.absent, false): return .orphan
        case (.uncertain, true): return .hash(.remote)
        case (.unchanged, true): return wish == .alwaysHere ? .fetch : .nothing
        case (.changed, _), (.unchanged, false), (.uncertain, false): return update
        }
    }

    private static func ofContents(
        local: SideChange, remote: SideChange, hasBase: Bool, areEqual: Bool?
    ) -> Verdict {
        switch (local, remote) {
        case (.absent, _), (_, .absent): ofDeletion(local: local, remote: remote, hasBase: hasBase)
        case (_, _) where !hasBase: ofTwoVersions(areEqual)
        case (.changed, .changed): ofTwoVersions(areEqual)
        case (.uncertain, _): .hash(.local)
        case (_, .uncertain): .hash(.remote)
        case (.unchanged, .unchanged): .nothing
        case (.changed, .unchanged): .update(on: .remote)
        case (.unchanged, .changed): .update(on: .local)
        }
    }

    private static func ofTwoVersions(_ areEqual: Bool?) -> Verdict {
        guard let areEqual else { return .hash(.local) }
        return areEqual ? .adopt : .conflict
    }

    private static func ofDeletion(local: SideChange, remote: SideChange, hasBase: Bool) -> Verdict {
        switch (local, remote) {
        case (.absent, .absent): .forget
        case (.absent, let left): hasBase ? ofOneLeft(left, on: .remote) : .create(on: .local)
        case (let left, _): hasBase ? ofOneLeft(left, on: .local) : .create(on: .remote)
        }
    }

    private static func ofOneLeft(_ change: SideChange, on side: Side) -> Verdict {
        switch change {
        case .uncertain: .hash(side)
        case .unchanged: .delete(on: side)
        case .changed, .absent: .survive
        }
    }
}
