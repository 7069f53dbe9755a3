import Client
import RoundelBus
import Support

extension StatusReport {
    /// `{"state":…,"watching":…,"folders":[…],"worker_error":…}`.
    var json: JSON {
        .object([
            .init("state", .string(state.word)), .init("watching", .optional(isWatching, JSON.bool)),
            .init("folders", .array(folders.map(\.json))),
            .init("worker_error", .optional(absence) { .string(ErrorSentence.of($0)) }),
        ])
    }

    func lines(on terminal: Terminal, _ remark: ServiceRemark? = nil) -> [String] {
        let remarks = [remark?.sentence].compactMap(\.self)
        guard !folders.isEmpty else { return [ListCommand.noFolders] + remarks }
        var lines: [String] = []
        for folder in folders {
            if terminal.isInteractive, !lines.isEmpty { lines.append("") }
            lines += folder.lines(on: terminal)
        }
        return lines + remarks
    }
}

extension FolderSummary {
    /// The worker's object; for the folder of another provider the same keys, most of them null.
    var json: JSON {
        if let details { return details.json }
        let known: [String: JSON] = [
            "uri": .string(uri.uri), "path": .string(uri.displayPath), "label": .string(label),
            "state": .string(state.word), "text": .string(text), "progress": .optional(percent, JSON.number),
        ]
        return .object(SyncFolderStatus.names.map { .init($0, known[$0] ?? .null) })
    }
}

extension FolderSummary {
    /// The heading and the lines below it.
    func lines(on terminal: Terminal) -> [String] {
        let appearance = BadgeAppearance.of(shownBadge)
        guard terminal.isInteractive else {
            var table = Table([.left, .left, .left, .left])
            let progress = percent.map { ProgressBar.text($0, on: terminal) } ?? ""
            table.append([Table.Cell(state.word), Table.Cell(progress), Table.Cell(uri.displayPath), Table.Cell(text)])
            return table.lines(on: terminal) + notes(on: terminal)
        }
        let glyph = appearance.style.apply(to: appearance.glyph(on: terminal), on: terminal)
        var lines = [glyph + " " + heading(on: terminal)]
        lines.append("  " + appearance.style.apply(to: sentence, on: terminal))
        if let percent { lines.append("  " + progressLine(percent, on: terminal)) }
        return lines + notes(on: terminal)
    }

    /// The folder and its remote, both of which lose their middle where there is no room for them.
    private func heading(on terminal: Terminal) -> String {
        let arrow = terminal.hasUnicode ? " → " : " -> "
        let path = DisplayText.escaped(uri.sentencePath)
        let remote = details.map { DisplayText.escaped(WorkerPath.remote($0.remote)) } ?? ""
        // The badge and a space stand before it.
        let room = (terminal.columns ?? .max) - 2 - (remote.isEmpty ? 0 : arrow.count)
        let pathRoom = max(room / 2, room - DisplayWidth.of(remote))
        let shown = DisplayWidth.truncateMiddle(path, to: pathRoom, ellipsis: terminal.ellipsis)
        let bold = Style.bold.apply(to: shown, on: terminal)
        if remote.isEmpty { return bold }
        let rest = DisplayWidth.truncateMiddle(
            remote, to: room - DisplayWidth.of(shown), ellipsis: terminal.ellipsis)
        return bold + Style.dim.apply(to: arrow + rest, on: terminal)
    }

    /// The badge for the state.
    private var shownBadge: Badge {
        switch state {
        case .unknown: .none
        case .attention: .conflict
        case .badge(let badge): badge
        }
    }

    /// The state in words.
    private var sentence: String {
        if !text.isEmpty { return DisplayText.escaped(text) }
        if state == .unknown { return tr("The provider has not said anything yet.") }
        return DisplayText.escaped(BadgeAppearance.of(Badge(state.word)).label)
    }

    private func progressLine(_ percent: UInt8, on terminal: Terminal) -> String {
        let bar = ProgressBar.text(percent, width: 24, on: terminal)
        guard let details, details.bytesTotal > 0 else { return bar }
        let amount = Quantity.work(
            done: details.bytesDone, of: details.bytesTotal, rate: details.rate, remaining: details.remaining)
        return bar + Style.dim.apply(to: "  " + amount, on: terminal)
    }

    /// Whether the text of the folder is this sentence already.
    private func says(_ sentence: String) -> Bool { text == sentence || text + "." == sentence }

    private func notes(on terminal: Terminal) -> [String] {
        guard let details else { return [] }
        var lines = ContentsWords.amounts(details).map { ["  " + Style.dim.apply(to: $0, on: terminal)] } ?? []
        lines += transferLines(details.transfers, on: terminal)
        let (conflicts, errors) = (details.conflicts, details.errors)
        if conflicts > 0, details.needs?.known != .conflicts {
            // Both versions of a conflict are counted.
            let sentence = tr(
                conflicts / 2 + conflicts % 2, one: "1 conflict. See: roundel conflicts",
                other: "{1} conflicts. See: roundel conflicts")
            if !says(sentence) { lines.append("  " + Style.magenta.apply(to: sentence, on: terminal)) }
        }
        if errors > 0, details.needs?.known != .errors, !says(Self.failedItems(errors)) {
            lines.append("  " + Style.red.apply(to: Self.failedItems(errors), on: terminal))
        }
        if let message = details.message, !says(message) {
            lines.append("  " + Style.red.apply(to: DisplayText.escaped(message), on: terminal))
        }
        if let advice = Needs.remedy(details) {
            lines.append("  " + Style.yellow.apply(to: advice, on: terminal))
        }
        return lines
    }

    /// The most transfers to list; others are only counted, so that the redrawn part fits into a terminal.
    private static let shownTransfers = 8

    private func transferLines(_ transfers: [SyncTransfer], on terminal: Terminal) -> [String] {
        let underWay = transfers.filter { $0.bytesDone > 0 } + transfers.filter { $0.bytesDone == 0 }
        let shown = terminal.isInteractive ? underWay.prefix(FolderSummary.shownTransfers) : underWay[...]
        var table = Table([.left, .left, .right, .left])
        for transfer in shown {
            let upload = terminal.hasUnicode ? "↑" : "up"
            let download = terminal.hasUnicode ? "↓" : "down"
            let share = Double(transfer.bytesDone) / Double(max(transfer.bytesTotal, 1))
            let percent = UInt8(min(share, 1) * 100)
            table.append([
                Table.Cell(transfer.direction == .upload ? upload : download, .blue),
                Table.Cell(ProgressBar.text(percent, on: terminal), .blue),
                Table.Cell(Quantity.bytes(transfer.bytesTotal), .dim),
                Table.Cell(WorkerPath.display(transfer.uri, below: uri)),
            ])
        }
        let rest = transfers.count - shown.count
        let more =
            rest > 0
            ? [Style.dim.apply(to: "  " + Quantity.more(rest), on: terminal)] : []
        return table.lines(on: terminal, indent: "  ") + more
    }

    private static func failedItems(_ count: UInt64) -> String {
        tr(count, one: "1 item could not be synced.", other: "{1} items could not be synced.")
    }
}
