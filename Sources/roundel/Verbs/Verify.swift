import ArgumentParser
import RoundelBus

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: Help.Verify.abstract, discussion: Help.Verify.discussion)

    @Argument(help: ArgumentHelp(Help.Verify.path, valueName: "path"), completion: .file())
    var path: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let place = try path.map { try ItemArgument.parse($0).text } ?? ""
        // An interrupt ends this command; the worker then stops reading because the command left the bus.
        let result = try await verify(place, on: SyncWorkerProxy(bus: try await Bus.open()))
        let console = Console()
        if output.json {
            console.print(result.json)
        } else {
            console.print(lines: result.lines(on: console.terminal))
        }
        try finish(result.differences > 0 ? .needsUser : .done)
    }

    private enum Event: Sendable {
        case progress(SyncVerification)
        case finished(Result<SyncVerification, any Error>)
    }

    /// Waits for the end and shows the progress if the output is a terminal.
    private func verify(_ place: String, on worker: SyncWorkerProxy) async throws -> SyncVerification {
        let console = Console()
        guard console.terminal.isInteractive && !output.json else { return try await worker.verify(place) }
        let merge = EventMerge<Event>()
        merge.add(try worker.verificationProgress()) { .progress($0) }
        let call = Task {
            do {
                merge.add(.finished(.success(try await worker.verify(place))))
            } catch {
                merge.add(.finished(.failure(error)))
            }
        }
        defer { call.cancel() }
        var block = LiveBlock(console)
        for await event in merge.events {
            switch event {
            case .progress(let progress): block.draw([progress.progressLine(on: console.terminal)])
            case .finished(let result):
                block.draw([])
                return try result.get()
            }
        }
        throw CommandFailure(Text.busClosed)
    }
}

extension SyncVerification {
    /// `{"files":n,…,"items":[…]}`.
    var json: JSON {
        .object([
            .init("files", .number(files)), .init("bytes", .number(bytes)), .init("differences", .number(differences)),
            .init("waiting", .number(waiting)), .init("items", .array(items.map(\.json))),
        ])
    }

    /// The differences, then the totals.
    func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left], flexible: 1)
        for item in items {
            table.append([
                Table.Cell(Text.finding(item.finding), .red), Table.Cell(WorkerPath.display(item.uri)),
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

extension SyncVerification.Item {
    fileprivate var json: JSON {
        .object(
            WorkerPath.json(uri) + [
                .init("folder", .string(folder)), .init("finding", .string(finding.text)),
                .init("message", .optional(message, JSON.string)),
            ])
    }
}
