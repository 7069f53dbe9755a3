import RoundelBus

/// How a badge looks in a terminal: told apart by shape, with colour on top.
struct BadgeAppearance: Sendable {
    let glyph: String
    let asciiGlyph: String
    let style: Style
    /// The label while the service does not give one.
    let label: String

    private static let common: [Badge: BadgeAppearance] = [
        .synced: BadgeAppearance(glyph: "✓", asciiGlyph: "+", style: .green, label: "Synced"),
        .pending: BadgeAppearance(glyph: "◌", asciiGlyph: ".", style: .cyan, label: "Waiting"),
        .syncing: BadgeAppearance(glyph: "⟳", asciiGlyph: ">", style: .blue, label: "Syncing"),
        .paused: BadgeAppearance(glyph: "‖", asciiGlyph: "=", style: .yellow, label: "Paused"),
        .error: BadgeAppearance(glyph: "✗", asciiGlyph: "!", style: .red, label: "Error"),
        .conflict: BadgeAppearance(glyph: "≠", asciiGlyph: "#", style: .magenta, label: "Conflict"),
        .excluded: BadgeAppearance(glyph: "⊘", asciiGlyph: "-", style: .dim, label: "Not synced"),
        .onlineOnly: BadgeAppearance(glyph: "☁", asciiGlyph: "o", style: .cyan, label: "Online only"),
    ]

    /// The appearance of a bundled badge, or the one that stands for badges of other providers.
    static func of(_ badge: Badge) -> BadgeAppearance {
        if badge == .none { return BadgeAppearance(glyph: " ", asciiGlyph: " ", style: .plain, label: "") }
        return common[badge] ?? BadgeAppearance(glyph: "●", asciiGlyph: "*", style: .plain, label: badge.identifier)
    }

    func glyph(on terminal: Terminal) -> String { terminal.hasUnicode ? glyph : asciiGlyph }
}
