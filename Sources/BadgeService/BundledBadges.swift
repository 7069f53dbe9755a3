internal import BadgeCore

/// The images of the badges that are common to all providers.
enum BundledBadges {
    private static let images: [BadgeImage] = [
        image(.synced, "Synced"), image(.pending, "Waiting to sync"), image(.syncing, "Syncing"),
        image(.paused, "Paused"), image(.error, "Error"), image(.conflict, "Conflict"),
        image(.excluded, "Not synced"), image(.onlineOnly, "Online only"),
    ]

    private static func image(_ badge: Badge, _ label: String) -> BadgeImage {
        BadgeImage(badge: badge, label: label, icon: "emblem-roundel-" + badge.identifier)
    }

    /// The bundled images and what providers gave; theirs win.
    static func merged(with given: [BadgeImage]) -> [BadgeImage] {
        let known = Set(given.map(\.badge))
        return images.filter { !known.contains($0.badge) } + given
    }
}
