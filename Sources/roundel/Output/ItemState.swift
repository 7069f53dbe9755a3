import RoundelBus

/// What a host knows about one item.
struct ItemState: Sendable, Equatable {
    var badge: Badge
    var flags: BadgeFlags
    /// 0 to 100, or 255 for none.
    var progress: UInt8

    static let none = ItemState(badge: .none, flags: [], progress: Progress.none)

    /// The progress, where there is any.
    var percent: UInt8? { progress <= 100 ? progress : nil }

    /// The flags as words, in the order of their bits.
    var flagWords: [String] {
        let words: [(BadgeFlags, String)] = [
            (.pinned, "pinned"), (.onlineOnly, "online-only"), (.shared, "shared"), (.readOnly, "read-only"),
            (.locked, "locked"),
        ]
        return words.filter { flags.contains($0.0) }.map(\.1)
    }
}

/// The labels that the service gives for badges.
struct BadgeLabels: Sendable, Equatable {
    private let labels: [String: String]

    init(_ labels: [String: String] = [:]) { self.labels = labels }

    /// The label of a badge; "" for none.
    func label(of badge: Badge) -> String {
        if let label = labels[badge.identifier], !label.isEmpty { return label }
        return BadgeAppearance.of(badge.identifier).label
    }
}
