import RoundelBus

/// The look of a badge in a terminal: badges differ by shape, and additionally by colour.
struct BadgeAppearance: Sendable {
    let glyph: String
    let asciiGlyph: String
    let style: Style
    /// The label to use if the service provides none.
    private(set) var label = ""

    /// The appearance of a common badge, or the generic one for badges of a single provider.
    static func of(_ badge: Badge) -> BadgeAppearance {
        if badge == .none { return BadgeAppearance(glyph: " ", asciiGlyph: " ", style: .plain) }
        guard let common = CommonBadge(badge) else {
            return BadgeAppearance(glyph: "●", asciiGlyph: "*", style: .plain, label: badge.identifier)
        }
        var appearance = of(common)
        appearance.label = common.label
        return appearance
    }

    private static func of(_ badge: CommonBadge) -> BadgeAppearance {
        switch badge {
        case .synced: BadgeAppearance(glyph: "✓", asciiGlyph: "+", style: .green)
        case .pending: BadgeAppearance(glyph: "◌", asciiGlyph: ".", style: .cyan)
        case .syncing: BadgeAppearance(glyph: "⟳", asciiGlyph: ">", style: .blue)
        case .paused: BadgeAppearance(glyph: "‖", asciiGlyph: "=", style: .yellow)
        case .error: BadgeAppearance(glyph: "✗", asciiGlyph: "!", style: .red)
        case .conflict: BadgeAppearance(glyph: "≠", asciiGlyph: "#", style: .magenta)
        case .excluded: BadgeAppearance(glyph: "⊘", asciiGlyph: "-", style: .dim)
        case .onlineOnly: BadgeAppearance(glyph: "☁", asciiGlyph: "o", style: .cyan)
        }
    }

    func glyph(on terminal: Terminal) -> String { terminal.hasUnicode ? glyph : asciiGlyph }
}
