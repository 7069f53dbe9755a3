import Client
import RoundelBus
import Support

/// The badge of one item, as `roundel badge` prints it.
struct BadgeReport: Sendable, Equatable {
    let uri: ItemURI
    let state: ItemBadge
    let label: String

    init(uri: ItemURI, state: ItemBadge, labels: BadgeLabels) {
        self.uri = uri
        self.state = state
        label = labels.label(of: state.badge)
    }

    /// The current badges of items.
    static func reports(of items: [ItemURI], _ badges: BadgeWatch) -> [BadgeReport] {
        let labels = BadgeLabels(badges.images)
        return items.map { BadgeReport(uri: $0, state: badges.badge(of: $0), labels: labels) }
    }

    /// `{"uri":…,"path":…,"badge":…,"label":…,"progress":…,"flags":[…]}`; progress is null where there is none.
    var json: JSON { .object(jsonMembers) }

    var jsonMembers: [JSON.Member] {
        [
            .init("uri", .string(uri.uri)), .init("path", .string(uri.displayPath)),
            .init("badge", .string(state.badge.identifier)), .init("label", .string(label)),
            .init("progress", .optional(state.percent, JSON.number)), .init("flags", .strings(state.flags.names)),
        ]
    }

    /// The cell for a badge; outside a terminal, the identifier.
    static func badgeCell(_ badge: Badge, label: String, on terminal: Terminal) -> Table.Cell {
        let appearance = BadgeAppearance.of(badge)
        guard terminal.isInteractive else { return Table.Cell(badge == .none ? "none" : badge.identifier) }
        let text = badge == .none ? "" : "\(appearance.glyph(on: terminal)) \(label)"
        return Table.Cell(text, appearance.style)
    }

    /// The cell for the progress, empty if there is none.
    static func progressCell(_ state: ItemBadge, on terminal: Terminal) -> Table.Cell {
        let text = state.percent.map { ProgressBar.text($0, on: terminal) } ?? ""
        return Table.Cell(text, BadgeAppearance.of(state.badge).style)
    }

    /// A line for each item.
    static func lines(_ reports: [BadgeReport], on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left, .left], flexible: 2)
        for report in reports {
            table.append([
                badgeCell(report.state.badge, label: report.label, on: terminal),
                progressCell(report.state, on: terminal),
                Table.Cell(WorkerPath.shown(report.uri.uri, on: terminal), isPath: true),
                Table.Cell(report.state.flags.names.joined(separator: ", "), .dim),
            ])
        }
        return table.lines(on: terminal)
    }
}
