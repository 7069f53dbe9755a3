import ArgumentParser
import Client
import RoundelBus
import Support

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: tr("Compare every byte with the remote, and say what differs."),
        discussion: tr(
            """
            Reads every file on both sides; syncing goes on meanwhile. Of a file that differs both versions stay, in \
            conflict; nothing else is changed. What is changing or not synced yet is no difference. The exit status \
            is 2 if something is not the same or cannot be read. Ctrl-C ends it.
            """))

    @Argument(
        help: ArgumentHelp(tr("A synced folder or something in it; by default every folder."), valueName: "path"),
        completion: .file())
    var path: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let place = try path.map { try ItemArgument.parse($0).uri }
        // An interrupt ends this command; the engine then stops reading because the command left the bus.
        let call = try await Engines(bus: try await Bus.open()).verification(of: place)
        let result = try await FollowedCall.end(of: call, isShown: !output.json) { [$0.progressLine(on: $1)] }
        let console = Console()
        if output.json {
            console.print(result.json)
        } else {
            console.print(lines: result.lines(on: console.terminal))
        }
        try finish(result.differences > 0 ? .needsUser : .done)
    }
}

extension SyncVerification {
    /// The differences, then the totals.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left], flexible: 1)
        for item in items {
            table.append([
                Table.Cell(Self.finding(item.finding), .red),
                Table.Cell(WorkerPath.shown(item.uri, on: terminal), isPath: true),
                Table.Cell(item.message ?? "", .dim),
            ])
        }
        var lines = table.lines(on: terminal)
        let unnamed = differences - min(differences, UInt64(items.count))
        if unnamed > 0 { lines.append(Quantity.more(unnamed)) }
        lines.append(
            differences == 0
                ? tr(
                    files, one: "Nothing differs: 1 file ({2}) is equal on both sides.",
                    other: "Nothing differs: {1} files ({2}) are equal on both sides.", Quantity.bytes(bytes))
                : tr(
                    differences, one: "1 item is not the same on both sides; equal files: {2}.",
                    other: "{1} items are not the same on both sides; equal files: {2}.", "\(files)"))
        if waiting > 0 {
            lines.append(
                tr(
                    waiting, one: "1 item was not compared: it is changing or not synced yet.",
                    other: "{1} items were not compared: they are changing or not synced yet."))
        }
        return lines
    }

    /// The progress so far.
    func progressLine(on terminal: Terminal) -> String {
        let amount = bytesTotal.map { tr("{1} of {2}", Quantity.bytes(bytes), Quantity.bytes($0)) }
        let text = tr(
            files, one: "Comparing: 1 file, {2}", other: "Comparing: {1} files, {2}", amount ?? Quantity.bytes(bytes))
        guard let bytesTotal, bytesTotal > 0 else { return text }
        let percent = UInt8(min(100, Double(bytes) / Double(bytesTotal) * 100))
        return ProgressBar.text(percent, on: terminal) + "  " + text
    }

    private static func finding(_ finding: WireWord<SyncVerification.Finding>) -> String {
        switch finding.known {
        case .different: tr("different")
        case .missingLocal: tr("missing on this computer")
        case .missingRemote: tr("missing on the remote")
        case .unreadable: tr("cannot be read")
        case nil: finding.text
        }
    }
}
