import ArgumentParser
import Client
import RoundelBus
import Support

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: tr("List what was changed on both sides and nobody has resolved."),
        discussion: tr("The exit status is 2 while there are any."))

    @Argument(help: ArgumentHelp(tr("Only those at or below it."), valueName: "path"), completion: .file())
    var path: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let place = try path.map { try ItemArgument.parse($0).uri }
        let answers = try await Engines(bus: try await Bus.open()).ask(place) { (engine: ConflictsProxy) in
            try await engine.conflicts(at: place?.uri ?? "", asksAuthors: true)
        }
        let conflicts = answers.answers.flatMap(\.self)
        let console = Console()
        if output.json {
            console.print(.array(conflicts.map(\.json)))
        } else if conflicts.isEmpty {
            console.print(tr("There are no conflicts."))
        } else {
            for conflict in conflicts { console.print(lines: conflict.lines(on: console.terminal)) }
        }
        try finish(answers.failures, else: conflicts.isEmpty ? .done : .needsUser)
    }
}

extension SyncConflict {
    /// The two versions, and how to choose one.
    func lines(on terminal: Terminal) -> [String] {
        let appearance = BadgeAppearance.of(.conflict)
        let path = DisplayText.escaped(WorkerPath.shown(uri, on: terminal))
        let glyph =
            terminal.isInteractive ? appearance.style.apply(to: appearance.glyph(on: terminal), on: terminal) + " " : ""
        var table = Table([.left, .left, .right, .left], flexible: 1)
        table.append(
            [Table.Cell(tr("remote"), .cyan), Table.Cell(WorkerPath.shown(uri, on: terminal), isPath: true)]
                + ConflictsCommand.facts(size: size, modified: modified, by: authorInWords))
        if !copyURI.isEmpty {
            table.append(
                [
                    Table.Cell(tr("this computer"), .cyan),
                    Table.Cell(WorkerPath.shown(copyURI, on: terminal), isPath: true),
                ]
                    + ConflictsCommand.facts(size: copySize, modified: copyModified))
        }
        let word = terminal.isInteractive ? WorkerPath.shellWord(uri) : nil
        let hint = word.map {
            Style.dim.apply(to: "  roundel resolve \(DisplayText.escaped($0)) mine|theirs|both", on: terminal)
        }
        let title = glyph + tr("{1} ({2})", Style.bold.apply(to: path, on: terminal), kindInWords)
        return [title] + table.lines(on: terminal, indent: "  ") + [hint].compactMap(\.self)
    }

    /// Who wrote the remote's version.
    private var authorInWords: String? {
        author.map { isOwnAuthor ? tr("by you") : tr("by {1}", DisplayText.escaped($0)) }
    }

    private var kindInWords: String {
        switch kind.known {
        case .edits: tr("changed on both sides")
        case .type: tr("a file on one side, a directory on the other")
        case nil: DisplayText.escaped(kind.text)
        }
    }
}

extension ConflictsCommand {
    fileprivate static func facts(size: UInt64?, modified: Int64?, by author: String? = nil) -> [Table.Cell] {
        let changed = [modified.map { tr("changed {1}", TimeText.local($0)) }, author].compactMap(\.self)
        return [Table.Cell(size.map(Quantity.bytes) ?? "", .dim), Table.Cell(TextList.of(changed), .dim)]
    }
}
