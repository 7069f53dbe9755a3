/// What must hold while effects on items are carried out, for the effects of one event.
enum EffectGuards {
    /// Puts the guards before the effects that need them.
    static func put(_ items: Items, _ outbox: inout Outbox) throws {
        try openReadOnly(items, &outbox)
        try requireMounts(items, &outbox)
    }

    /// What changes at the remote comes into directories that the user may not change as well.
    private static func openReadOnly(_ items: Items, _ outbox: inout Outbox) throws {
        guard items.hasWithheld else { return }
        try outbox.replaceEffects { effect in
            let closed = try items.closedDirectories(of: effect)
            return closed.isEmpty ? effect : .opening(closed, effect)
        }
    }

    /// Effects on items within a mounted file system are carried out only while it is mounted.
    private static func requireMounts(_ items: Items, _ outbox: inout Outbox) throws {
        if items.mounts.isEmpty { return }
        let points = try items.mountPoints()
        outbox.replaceEffects { effect in
            let footprint = effect.footprint
            let crossed = points.filter { footprint.isWithin($0) }
            return crossed.isEmpty ? effect : .within(crossed, effect)
        }
    }
}
