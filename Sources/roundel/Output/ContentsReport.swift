import Client
import RoundelBus
import Support

extension SyncContentsResult {
    /// What could not be done, then what was done.
    func lines(_ move: ContentsMove, on terminal: Terminal) -> [String] {
        var table = Table([.left, .left], flexible: 0)
        for item in items {
            let path = Table.Cell(WorkerPath.shown(item.uri, on: terminal), isPath: true)
            table.append([path, Table.Cell(item.message, .red)])
        }
        var lines = table.lines(on: terminal)
        let unnamed = failed - min(failed, UInt64(items.count))
        if unnamed > 0 { lines.append(Quantity.more(unnamed)) }
        if files > 0 || failed == 0 { lines.append(done(move)) }
        if failed > 0 { lines.append(Self.undone(move, failed)) }
        return lines
    }

    private func done(_ move: ContentsMove) -> String {
        switch move {
        case .fetch:
            files == 0
                ? tr("Everything is on this computer already.")
                : tr(files, one: "1 file was downloaded ({2}).", other: "{1} files were downloaded ({2}).", size)
        case .free:
            files == 0
                ? tr("There is nothing to free.")
                : tr(files, one: "1 file was freed ({2}).", other: "{1} files were freed ({2}).", size)
        }
    }

    private var size: String { Quantity.bytes(bytes) }

    private static func undone(_ move: ContentsMove, _ count: UInt64) -> String {
        switch move {
        case .fetch: tr(count, one: "1 item was not downloaded.", other: "{1} items were not downloaded.")
        case .free: tr(count, one: "1 item was not freed.", other: "{1} items were not freed.")
        }
    }
}

extension SyncContentsProgress {
    /// The progress so far, and why it waits.
    func lines(_ move: ContentsMove, on terminal: Terminal) -> [String] {
        let amount = tr("{1} of {2}", Quantity.bytes(bytes), Quantity.bytes(bytesTotal))
        let text =
            switch move {
            case .fetch:
                tr(
                    filesTotal, one: "Downloading: {2} of 1 file, {3}", other: "Downloading: {2} of {1} files, {3}",
                    "\(files)", amount)
            case .free:
                tr(
                    filesTotal, one: "Freeing: {2} of 1 file, {3}", other: "Freeing: {2} of {1} files, {3}",
                    "\(files)", amount)
            }
        let share = Double(bytes) / Double(max(bytesTotal, 1)) * 100
        let line = ProgressBar.text(UInt8(min(share, 100)), on: terminal) + "  " + text
        return [line] + (message.map { ["  " + Style.dim.apply(to: DisplayText.escaped($0), on: terminal)] } ?? [])
    }
}

/// Words for where contents are.
enum ContentsWords {
    /// How much of a folder on demand is where; nil for another folder, and while that is not known.
    static func amounts(_ status: SyncFolderStatus) -> String? {
        guard status.isOnDemand, let here = status.bytesHere, let online = status.bytesOnline else { return nil }
        return tr("{1} here, {2} online", Quantity.bytes(here), Quantity.bytes(online))
    }

    /// Where the contents of an item are, for a column; outside a terminal the word that programs read.
    static func cell(_ contents: ItemContents, on terminal: Terminal) -> String {
        guard terminal.isInteractive else { return contents.place.rawValue }
        return switch contents.place {
        case .here: tr("here")
        case .partly: tr("{1} here", Quantity.bytes(contents.bytesHere))
        case .online: tr("online")
        }
    }

    /// Where the contents of an item are, and what that means.
    static func sentence(_ contents: ItemContents, isDirectory: Bool) -> String {
        let (here, online) = (Quantity.bytes(contents.bytesHere), Quantity.bytes(contents.bytesOnline))
        switch (contents.place, isDirectory) {
        case (.here, false): return tr("Its contents ({1}) are on this computer.", here)
        case (.here, true): return tr("All that is in it ({1}) is on this computer.", here)
        case (.online, false):
            return tr("Its contents ({1}) are on the remote only; they are downloaded when it is opened.", online)
        case (.online, true):
            return tr(
                "All that is in it ({1}) is on the remote only; files are downloaded when they are opened.", online)
        case (.partly, _):
            return tr("{1} of it is on this computer; {2} is on the remote only.", here, online)
        }
    }
}
