package import RoundelBus

/// The labels of the badges, from the service.
package struct BadgeLabels: Sendable, Equatable {
    private let labels: [Badge: String]

    /// - Parameter images: The badges from the service; empty until it responds.
    package init(_ images: [BadgeImage] = []) {
        labels = Dictionary(images.map { ($0.badge, $0.label) }) { $1 }
    }

    /// The label of a badge; "" for none.
    package func label(of badge: Badge) -> String {
        if let label = labels[badge], !label.isEmpty { return label }
        return CommonBadge(badge)?.label ?? badge.identifier
    }
}
