import SyncCore
import TestSupport

extension EffectFailure {
    /// A failure of an effect that the world did not carry out. One of a side that cannot be reached says which.
    static func injected(_ reason: Reason, into effect: Effect) -> EffectFailure {
        reason == .unreachable
            ? EffectFailure(reason, Explanation(.unreachable, effect.footprint.side, "injected"))
            : EffectFailure(reason, "injected")
    }

    /// Any failure of an effect that the world did not carry out.
    ///
    /// - Parameter others: What may be the reason besides those that any effect can have.
    static func injected(
        into effect: Effect, besides others: [Reason] = [], _ random: inout SeededRandom
    ) -> EffectFailure {
        let reasons: [Reason] = [.busy, .putOff, .denied, .noSpace, .io, .unreachable, .changed, .notFound] + others
        return injected(random.pick(reasons) ?? .io, into: effect)
    }
}
