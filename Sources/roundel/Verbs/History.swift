import ArgumentParser
import Client
import RoundelBus
import Support

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: tr("Print what happened to an item, and the versions of it that are kept."),
        discussion: tr(
            """
            Newest last, also under the names that the item had before. Below each kept version is the command that puts \
            it back. Versions that the server keeps by itself are listed as well, by when they were written; for them \
            the server is asked, for some seconds at most. For a directory it prints what happened to everything in it.
            """))

    @Argument(help: ArgumentHelp(tr("An item in a synced folder."), valueName: "path"), completion: .file())
    var path: String

    @Option(name: .customShort("n"), help: ArgumentHelp(tr("The number of entries."), valueName: "n"))
    var limit: UInt32 = 50

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit == 0 { throw ValidationError(tr("-n needs a number above 0.")) }
    }

    func run() async throws {
        let item = try ItemArgument.parse(path).uri
        let engines = Engines(bus: try await Bus.open())
        var history = try await ItemHistory.load(of: item, limit: Int(limit), engines)
        do {
            history = history.adding(server: try await engines.serverVersions(of: item), limit: Int(limit))
        } catch {
            Console.complain(
                tr("Versions on the server are not listed. {1}", DisplayText.escaped(ErrorSentence.of(error))))
        }
        let console = Console()
        if output.json {
            console.print(history.json)
        } else if history.events.isEmpty {
            console.print(tr("Nothing happened to “{1}” yet.", DisplayText.escaped(item.sentencePath)))
        } else {
            console.print(lines: history.lines(on: console.terminal))
        }
    }
}

extension ItemHistory {
    /// The form of the times, which `trash restore --kept` takes.
    fileprivate static let clock = "%Y-%m-%d %H:%M:%S"

    fileprivate var json: JSON {
        .object(
            JSON.item(item.uri) + [
                .init(
                    "events",
                    .array(
                        events.map { event in
                            switch event {
                            case .activity(let entry): Self.json(activity: entry.json)
                            case .kept(let version): Self.json(kept: version.json)
                            case .server(let version): Self.json(server: version.json)
                            }
                        }))
            ])
    }

    private static func json(activity: JSON = .null, kept: JSON = .null, server: JSON = .null) -> JSON {
        .object([.init("activity", activity), .init("kept", kept), .init("server", server)])
    }

    fileprivate func lines(on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .right, .left, .left], flexible: 3)
        for event in events {
            let time = Table.Cell(TimeText.text(event.time, Self.clock, in: .local), .dim)
            switch event {
            case .activity(let entry):
                let old = entry.oldURI.map { name(of: $0) + " -> " } ?? ""
                table.append([
                    time, Table.Cell(entry.action.text(on: terminal)), Table.Cell(""),
                    Table.Cell(old + name(of: entry.uri)), Table.Cell(entry.message ?? "", .red),
                ])
            case .kept(let version):
                table.append([
                    time, Table.Cell(tr("kept"), .green),
                    Table.Cell(version.size.map(Quantity.bytes) ?? "", .dim), Table.Cell(name(of: version.uri)),
                    Table.Cell(version.reason.text(on: terminal), .dim),
                ])
            case .server(let version):
                table.append([
                    time, Table.Cell(tr("on the server"), .green),
                    Table.Cell(version.size.map(Quantity.bytes) ?? "", .dim), Table.Cell(name(of: item.uri)),
                    Table.Cell(version.author.map { tr("by {1}", DisplayText.escaped($0)) } ?? "", .dim),
                ])
            }
        }
        return zip(events, table.lines(on: terminal)).flatMap { event, line in
            switch event {
            case .activity: return [line]
            case .kept(let version): return [line, Self.dim(Self.restoration(of: version), on: terminal)]
            case .server(let version): return [line, Self.dim(restoration(of: version), on: terminal)]
            }
        }
    }

    private static func dim(_ command: String, on terminal: Terminal) -> String {
        "  " + Style.dim.apply(to: command, on: terminal)
    }

    /// The command that puts a version of the server back.
    private func restoration(of version: SyncServerVersion) -> String {
        let moment = TimeText.text(version.time, Self.clock, in: .local)
        return "roundel trash restore \(WorkerPath.shellWord(item.uri)) --server '\(moment)'"
    }

    /// The command that puts a version back.
    private static func restoration(of version: SyncTrashItem) -> String {
        let moment = TimeText.text(version.time, clock, in: .local)
        return "roundel trash restore \(WorkerPath.shellWord(version.uri)) --kept '\(moment)'"
    }

    /// The item's own name, or the path below the item.
    private func name(of uri: String) -> String {
        guard let place = try? ItemURI(uri) else { return uri }
        if place.isBelow(item) { return WorkerPath.display(uri, below: item) }
        return place.parent == item.parent ? place.displayName : place.sentencePath
    }
}
