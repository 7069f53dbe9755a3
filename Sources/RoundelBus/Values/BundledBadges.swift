/// The images of the badges that are common to all providers.
package enum BundledBadges {
    private static let images: [BadgeImage] = [
        image(.synced, "Synced"), image(.pending, "Waiting to sync"), image(.syncing, "Syncing"),
        image(.paused, "Paused"), image(.error, "Error"), image(.conflict, "Conflict"),
        image(.excluded, "Not synced"), image(.onlineOnly, "Online only"),
    ]

    private static func image(_ badge: Badge, _ label: String) -> BadgeImage {
        BadgeImage(badge: badge, label: label, icon: "emblem-roundel-" + badge.identifier)
    }

    /// What a person reads, or hears, in place of a badge; nil for one that is not bundled.
    package static func label(of badge: Badge) -> String? {
        images.first { $0.badge == badge }?.label
    }

    /// The bundled images and what providers gave; theirs win.
    package static func merged(with given: [BadgeImage]) -> [BadgeImage] {
        let known = Set(given.map(\.badge))
        return images.filter { !known.contains($0.badge) } + given
    }
}
