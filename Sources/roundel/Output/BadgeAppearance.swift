import RoundelBus

/// How a badge looks in a terminal: told apart by shape, with colour on top.
struct BadgeAppearance: Sendable {
    let glyph: String
    let asciiGlyph: String
    let style: Style
    /// The label while the service does not give one.
    private(set) var label = ""

    private static let common: [Badge: BadgeAppearance] = [
        .synced: BadgeAppearance(glyph: "✓", asciiGlyph: "+", style: .green),
        .pending: BadgeAppearance(glyph: "◌", asciiGlyph: ".", style: .cyan),
        .syncing: BadgeAppearance(glyph: "⟳", asciiGlyph: ">", style: .blue),
        .paused: BadgeAppearance(glyph: "‖", asciiGlyph: "=", style: .yellow),
        .error: BadgeAppearance(glyph: "✗", asciiGlyph: "!", style: .red),
        .conflict: BadgeAppearance(glyph: "≠", asciiGlyph: "#", style: .magenta),
        .excluded: BadgeAppearance(glyph: "⊘", asciiGlyph: "-", style: .dim),
        .onlineOnly: BadgeAppearance(glyph: "☁", asciiGlyph: "o", style: .cyan),
    ]

    /// The appearance of a bundled badge, or the one that stands for badges of other providers.
    static func of(_ badge: Badge) -> BadgeAppearance {
        if badge == .none { return BadgeAppearance(glyph: " ", asciiGlyph: " ", style: .plain) }
        var appearance = common[badge] ?? BadgeAppearance(glyph: "●", asciiGlyph: "*", style: .plain)
        appearance.label = Text.label(of: badge) ?? badge.identifier
        return appearance
    }

    func glyph(on terminal: Terminal) -> String { terminal.hasUnicode ? glyph : asciiGlyph }
}
