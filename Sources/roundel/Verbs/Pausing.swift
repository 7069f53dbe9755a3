import ArgumentParser
import Client
import RoundelBus
import Support

struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: tr("Pause syncing, for a time or until `roundel resume`."),
        discussion: tr(
            """
            A pause lasts over a restart. With a time, syncing goes on by itself when that has come, also if the \
            computer was asleep or switched off then. A new pause replaces the one before.
            """))

    @OptionGroup var pausing: PausingOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(tr("For this long, such as 30m, 1h, 1h30, 2d or \"3 hours\"."), valueName: "time"))
    var span: String?

    @Option(
        help: ArgumentHelp(
            tr("Until then, such as 18:00, tomorrow, \"tomorrow 9:00\", monday or 2026-12-01."), valueName: "when"))
    var until: String?

    func run() async throws { try await pausing.carryOut(.pause(until: try end)) }

    /// When syncing goes on by itself, in microseconds since 1970.
    private var end: Int64? {
        get throws {
            if span != nil, until != nil {
                throw CommandFailure(tr("Give --for or --until, not both."), status: .usage)
            }
            if let span {
                guard let span = SpanArgument(span) else {
                    throw CommandFailure(
                        tr("“{1}” is no length of time. Give one such as 30m, 1h, 1h30 or 2d.", span), status: .usage)
                }
                return WallClock.microseconds + span.seconds * 1_000_000
            }
            guard let until else { return nil }
            guard let moment = ComingMoment(until) else {
                throw CommandFailure(
                    tr(
                        """
                        “{1}” is no time that is still to come. Give one such as 18:00, tomorrow, "tomorrow 9:00", \
                        monday or 2026-12-01.
                        """, until), status: .usage)
            }
            return moment.microseconds
        }
    }
}

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: tr("Resume syncing."))

    @OptionGroup var pausing: PausingOptions

    func run() async throws { try await pausing.carryOut(.resume) }
}

/// The options that `pause` and `resume` share.
struct PausingOptions: ParsableArguments {
    /// What is done.
    enum Action {
        case pause(until: Int64?)
        case resume
    }

    @Argument(help: ArgumentHelp(tr("A synced folder; by default all."), valueName: "path"), completion: .file())
    var path: String?

    @OptionGroup var output: OutputOptions

    func carryOut(_ action: Action) async throws {
        let item = try path.map { try ItemArgument.parse($0).uri }
        let answers = try await Engines(bus: try await Bus.open()).ask(item) { (engine: FoldersProxy) in
            switch action {
            case .pause(let end): try await engine.pause(item?.uri ?? "", until: end)
            case .resume: try await engine.resume(item?.uri ?? "")
            }
            return try await engine.listFolders().filter { folder in
                item.map { item in (try? ItemURI(folder.uri)).map(item.isWithin) ?? false } ?? true
            }
        }
        if output.json {
            Console().print(json(action, item))
        } else {
            Console().print(lines: lines(action, answers.answers.flatMap(\.self)))
        }
        try finish(answers.failures + answers.unable)
    }

    private func json(_ action: Action, _ item: ItemURI?) -> JSON {
        let (isPaused, end): (Bool, Int64?) =
            switch action {
            case .pause(let end): (true, end)
            case .resume: (false, nil)
            }
        return .object([
            .init("paused", .bool(isPaused)),
            .init("paused_until", .optional(end) { .string(TimeText.utc($0)) }),
            .init("uri", .optional(item) { .string($0.uri) }),
            .init("path", .optional(item) { .string($0.displayPath) }),
        ])
    }

    /// What is so now, as the engines say: one line for folders that are paused alike.
    private func lines(_ action: Action, _ folders: [SyncedFolder]) -> [String] {
        guard !folders.isEmpty else { return [ListCommand.noFolders] }
        switch action {
        case .resume:
            return [
                folders.count == 1
                    ? tr("“{1}” is synced again.", DisplayText.escaped(folders[0].label))
                    : tr(folders.count, one: "1 folder is synced again.", other: "{1} folders are synced again.")
            ]
        case .pause:
            let ends = Dictionary(grouping: folders, by: \.pausedUntil)
            return ends.sorted { ($0.key ?? .max) < ($1.key ?? .max) }.map { Self.line($0.value, until: $0.key) }
        }
    }

    private static func line(_ folders: [SyncedFolder], until end: Int64?) -> String {
        let label = DisplayText.escaped(folders[0].label)
        guard let end else {
            return folders.count == 1
                ? tr(
                    "“{1}” is paused until you resume it: roundel resume {2}", label,
                    WorkerPath.shellWord(folders[0].uri))
                : tr(
                    folders.count, one: "1 folder is paused until you resume it: roundel resume",
                    other: "{1} folders are paused until you resume them: roundel resume")
        }
        let moment = TimeText.coming(end, now: WallClock.microseconds)
        // Translators: {2} is a time of day, “tomorrow” with one, or a date with one.
        if folders.count == 1 { return tr("“{1}” is paused until {2}.", label, moment) }
        return tr(
            folders.count, one: "1 folder is paused until {2}.", other: "{1} folders are paused until {2}.", moment)
    }
}
