import SyncCore

extension EffectFailure {
    /// A failure of an effect that the world did not carry out. One of a side that cannot be reached says which.
    static func injected(_ reason: Reason, into effect: Effect) -> EffectFailure {
        reason == .unreachable
            ? EffectFailure(reason, Explanation(.unreachable, effect.footprint.side, "injected"))
            : EffectFailure(reason, "injected")
    }
}
