import Client
import RoundelBus
import Support

extension Listing {
    /// An array with an object for each item: the members of `roundel badge`, plus name, kind and size.
    var json: JSON {
        .array(
            items.map { item in
                let report = BadgeReport(uri: directory.appending(item.name), state: item.state, labels: labels)
                return .object(
                    report.jsonMembers + [
                        .init("name", .string(DisplayText.decoding(item.name.bytes))),
                        .init("kind", .string(item.entry?.kind.rawValue ?? "absent")),
                        .init("size", .optional(item.entry?.size, JSON.number)),
                        .init("contents", .optional(item.contents) { .string($0.place.rawValue) }),
                        .init("bytes_here", .optional(item.contents?.bytesHere, JSON.number)),
                        .init("bytes_online", .optional(item.contents?.bytesOnline, JSON.number)),
                    ])
            })
    }

    /// The lines of the listing; on a terminal with a heading and a summary.
    func lines(on terminal: Terminal) -> [String] {
        let table = table(on: terminal)
        guard terminal.isInteractive else { return table.lines(on: terminal) }
        let heading = DisplayWidth.truncateMiddle(
            DisplayText.escaped(directory.sentencePath), to: terminal.columns ?? .max, ellipsis: terminal.ellipsis)
        let lines = [Style.bold.apply(to: heading, on: terminal)]
        let room = terminal.columns ?? .max
        let summary = DisplayWidth.truncate(DisplayText.escaped(summary), to: room, ellipsis: terminal.ellipsis)
        return lines + table.lines(on: terminal, indent: "  ") + [Style.dim.apply(to: summary, on: terminal)]
    }

    private func table(on terminal: Terminal) -> Table {
        var table = Table([.left, .right, .left, .left, .left, .left], flexible: 3)
        for item in items {
            let kind = item.entry?.kind
            let suffix = kind == .directory ? "/" : kind == .symlink ? "@" : ""
            let label = labels.label(of: item.state.badge)
            table.append([
                BadgeReport.badgeCell(item.state.badge, label: label, on: terminal),
                Table.Cell((item.entry?.size ?? item.contents?.bytes).map(Quantity.bytes) ?? "", .dim),
                Table.Cell(item.contents.map { ContentsWords.cell($0, on: terminal) } ?? "", .dim),
                Table.Cell(DisplayText.decoding(item.name.bytes) + suffix, Listing.style(of: item)),
                BadgeReport.progressCell(item.state, on: terminal),
                Table.Cell(item.state.flags.names.joined(separator: ", "), .dim),
            ])
        }
        return table
    }

    private static func style(of item: Item) -> Style {
        switch item.entry?.kind {
        case .directory: .directory
        case .symlink: .cyan
        case nil: .dim
        case .file, .special: item.state.badge == .excluded ? .dim : .plain
        }
    }

    /// The number of items, and the number in each state except synced, the worst first.
    var summary: String {
        var counts: [Badge: Int] = [:]
        for item in items { counts[item.state.badge, default: 0] += 1 }
        let notable = CommonBadge.allCases.compactMap { badge in badge.weight.map { (badge, $0) } }
        let parts = notable.sorted { $0.1 > $1.1 }.compactMap { badge, _ in counts[badge.badge].map(badge.counted) }
        return ([tr(items.count, one: "1 item", other: "{1} items")] + parts).joined(separator: " · ")
    }
}

extension CommonBadge {
    /// How important it is to mention this state; nil to omit it, as for synced items.
    fileprivate var weight: Int? {
        switch self {
        case .error: 7
        case .conflict: 6
        case .syncing: 5
        case .pending: 4
        case .paused: 3
        case .onlineOnly: 2
        case .excluded: 1
        case .synced: nil
        }
    }

    /// So many items with this badge.
    fileprivate func counted(_ count: Int) -> String {
        switch self {
        case .error: tr(count, one: "1 error", other: "{1} errors")
        case .conflict: tr(count, one: "1 conflict", other: "{1} conflicts")
        case .syncing: tr(count, one: "1 syncing", other: "{1} syncing")
        case .pending: tr(count, one: "1 waiting to sync", other: "{1} waiting to sync")
        case .paused: tr(count, one: "1 paused", other: "{1} paused")
        case .onlineOnly: tr(count, one: "1 online only", other: "{1} online only")
        case .excluded: tr(count, one: "1 not synced", other: "{1} not synced")
        case .synced: tr(count, one: "1 synced", other: "{1} synced")
        }
    }
}
