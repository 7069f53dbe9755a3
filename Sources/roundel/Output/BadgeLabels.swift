import RoundelBus

/// The labels that the service gives for badges.
struct BadgeLabels: Sendable, Equatable {
    private let labels: [Badge: String]

    /// - Parameter images: as the service gives them; none while it has not answered.
    init(_ images: [BadgeImage] = []) {
        labels = Dictionary(images.map { ($0.badge, $0.label) }) { $1 }
    }

    /// The label of a badge; "" for none.
    func label(of badge: Badge) -> String {
        if let label = labels[badge], !label.isEmpty { return label }
        return BadgeAppearance.of(badge).label
    }
}
