import ArgumentParser
import Client
import RoundelBus
import Support

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: Help.Verify.abstract, discussion: Help.Verify.discussion)

    @Argument(help: ArgumentHelp(Help.Verify.path, valueName: "path"), completion: .file())
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
                Table.Cell(Text.finding(item.finding), .red), Table.Cell(ItemURI.displayPath(of: item.uri)),
                Table.Cell(item.message ?? "", .dim),
            ])
        }
        var lines = table.lines(on: terminal)
        let unnamed = differences - min(differences, UInt64(items.count))
        if unnamed > 0 { lines.append(Text.moreDifferences(unnamed)) }
        lines.append(
            differences == 0
                ? Text.equal(files, Quantity.bytes(bytes)) : Text.unequal(differences, equal: files))
        if waiting > 0 { lines.append(Text.notCompared(waiting)) }
        return lines
    }

    /// The progress so far.
    func progressLine(on terminal: Terminal) -> String {
        let amount = bytesTotal.map { Text.amount(Quantity.bytes(bytes), of: Quantity.bytes($0)) }
        let text = Text.comparing(files, amount ?? Quantity.bytes(bytes))
        guard let bytesTotal, bytesTotal > 0 else { return text }
        let percent = UInt8(min(100, Double(bytes) / Double(bytesTotal) * 100))
        return ProgressBar.text(percent, on: terminal) + "  " + text
    }
}
