internal import RoundelBus

/// Assigns each badge identifier in use a small number. Each provider has a limited share of them, so that none can use
/// up those of others.
struct BadgeInterner {
    private var badges: [Badge] = []
    private var indices: [Badge: UInt16] = [:]
    /// Unused numbers.
    private var free: [UInt16] = []
    /// The identifiers that each provider has used since it first registered on its present connection.
    private var used: [ProviderID: Set<UInt16>] = [:]

    init() {
        for badge in [.none] + Badge.common { _ = insert(badge) }
    }

    func badge(_ index: UInt16) -> Badge { badges[Int(index)] }

    /// Whether another message could use up the numbers, so that unused ones should be freed.
    var isCrowded: Bool { indices.count + Limits.badgesPerProvider >= Int(UInt16.max) }

    /// The state in a row from a provider. A badge that the provider may not use, or one too many, counts as none, and
    /// an invalid progress as no progress.
    mutating func state(_ columns: BadgeColumns, _ row: Int, of provider: ProviderID) -> ItemState {
        let badge = columns.badges[row]
        let progress = columns.progress[row]
        return ItemState(
            flags: columns.flags[row],
            badge: badge.isAllowed(for: provider) ? index(of: badge, for: provider) ?? 0 : 0,
            progress: Progress.isValid(progress) ? progress : Progress.none)
    }

    /// The number of a badge that the provider may use; nil if it uses its maximum already, or if no number is
    /// left.
    private mutating func index(of badge: Badge, for provider: ProviderID) -> UInt16? {
        let known = indices[badge]
        if let known, known <= Badge.common.count { return known }
        var own = used[provider] ?? []
        if let known, own.contains(known) { return known }
        guard own.count < Limits.badgesPerProvider else { return nil }
        guard let index = known ?? insert(badge) else { return nil }
        own.insert(index)
        used[provider] = own
        return index
    }

    /// Whether a provider can use all of these badges in addition to its present ones.
    func hasRoom(for given: [Badge], of provider: ProviderID) -> Bool {
        let own = used[provider] ?? []
        guard own.count + given.count > Limits.badgesPerProvider else { return true }
        var new: Set<Badge> = []
        for badge in given {
            let index = indices[badge] ?? .max
            if Int(index) > Badge.common.count && !own.contains(index) { new.insert(badge) }
        }
        return own.count + new.count <= Limits.badgesPerProvider
    }

    /// The provider is gone: what it used before no longer counts.
    mutating func startAnew(_ provider: ProviderID) { used[provider] = nil }

    /// Frees all numbers except the common ones, those that providers use, and these.
    mutating func keep(_ needed: Set<UInt16>) {
        let kept = used.values.reduce(into: needed) { $0.formUnion($1) }
        for (badge, index) in indices where index > Badge.common.count && !kept.contains(index) {
            indices[badge] = nil
            free.append(index)
        }
    }

    /// Gives a badge a number; nil if there is none left. Providers have their shares, but there may be very many
    /// providers.
    private mutating func insert(_ badge: Badge) -> UInt16? {
        guard let index = free.popLast() ?? UInt16(exactly: badges.count) else { return nil }
        if index < badges.count { badges[Int(index)] = badge } else { badges.append(badge) }
        indices[badge] = index
        return index
    }
}
