import ArgumentParser
import Client
import RoundelBus
import Support

struct ProblemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "problems", abstract: tr("List what could not be synced, and why."),
        discussion: tr(
            """
            Every item that failed, is in conflict, or waits for something, with the reason and what to do. The exit \
            status is 2 if something failed or is in conflict.
            """))

    @Argument(
        help: ArgumentHelp(tr("A synced folder or something in it; by default every folder."), valueName: "path"),
        completion: .file())
    var path: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let answers = try await Engines(bus: try await Bus.open()).ask(item) { (engine: FoldersProxy) in
            try await engine.problems(item?.uri ?? "")
        }
        var problems = answers.answers.flatMap(\.problems)
        let console = Console()
        if !output.json, problems.contains(where: { $0.state == .conflict }) {
            let authors = await authors(of: item)
            for (index, problem) in problems.enumerated() {
                if let author = authors[problem.uri] {
                    problems[index].message = TextList.ofSentences([problem.message, author])
                }
            }
        }
        if output.json {
            console.print(.array(problems.map(\.json)))
        } else {
            let more = answers.answers.map(\.more).reduce(0, +)
            console.print(lines: SyncProblem.lines(problems, more: more, on: console.terminal))
        }
        let needsUser = problems.contains { $0.state == .error || $0.state == .conflict }
        try finish(answers.failures, else: needsUser ? .needsUser : .done)
    }
}

extension ProblemsCommand {
    /// Who wrote the remote's versions of conflicts, in sentences, as far as that is known.
    private func authors(of place: ItemURI?) async -> [String: String] {
        guard let bus = try? await Bus.open() else { return [:] }
        let answers = try? await Engines(bus: bus).ask(place) { (engine: ConflictsProxy) in
            try await engine.conflicts(at: place?.uri ?? "", asksAuthors: true)
        }
        var sentences: [String: String] = [:]
        for conflict in answers?.answers.flatMap(\.self) ?? [] {
            sentences[conflict.uri] = conflict.author.map {
                conflict.isOwnAuthor
                    ? tr("The server's version was written by you.")
                    : tr("The server's version was written by {1}.", DisplayText.escaped($0))
            }
        }
        return sentences
    }
}

extension SyncProblem {
    /// A line for each problem, or that there is none.
    fileprivate static func lines(_ problems: [SyncProblem], more: UInt64, on terminal: Terminal) -> [String] {
        guard !problems.isEmpty else { return [tr("There are no problems.")] }
        let hasConflict = problems.contains { $0.state == .conflict }
        return table(problems, on: terminal).lines(on: terminal) + (more > 0 ? [Quantity.more(more)] : [])
            + (hasConflict ? [tr("Choose what to keep: roundel conflicts")] : [])
    }

    /// A row for each problem.
    static func table(_ problems: [SyncProblem], on terminal: Terminal) -> Table {
        var table = Table([.left, .left, .left], flexible: 1)
        for problem in problems {
            let label = BadgeAppearance.of(problem.state).label
            table.append([
                BadgeReport.badgeCell(problem.state, label: label, on: terminal),
                Table.Cell(WorkerPath.shown(problem.uri, on: terminal), isPath: true), Table.Cell(problem.message),
            ])
        }
        return table
    }
}
