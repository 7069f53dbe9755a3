import ArgumentParser
import Client
import RoundelBus
import Support

struct OnDemandCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on-demand", abstract: tr("Keep the files of a folder on the remote until they are opened."),
        discussion: tr(
            """
            Turns a synced folder into one on demand: what is on this computer stays here, new files of the remote come \
            with their names, sizes and dates alone, and are downloaded when a program opens them. If it is on demand \
            already, what is here and what is freed by itself is shown. With --off it becomes a plain folder again: \
            everything is downloaded first, and if that does not fit on the disk it stays on demand. A SIZE is a number \
            of bytes, such as 500M or 20G. Nothing is freed by itself unless you say so; what is always kept on this \
            computer (roundel pin), open, or not synced is never freed.
            """))

    @Argument(help: ArgumentHelp(tr("The synced folder."), valueName: "path"), completion: .file())
    var path: String

    @Flag(help: ArgumentHelp(tr("Download everything, and make it a plain folder.")))
    var off = false

    @Option(
        help: ArgumentHelp(
            tr("When less than this is free on the disk, free what was not used for longest; 0 for never."),
            valueName: "size"))
    var freeBelow: String?

    @Option(
        help: ArgumentHelp(tr("Free what was not opened for so many days; 0 for never."), valueName: "days"))
    var freeUnused: UInt32?

    @OptionGroup var output: OutputOptions

    private static let secondsOfDay: UInt64 = 86_400

    func validate() throws { _ = try change() }

    private func change() throws -> OnDemandChange {
        var change = OnDemandChange()
        change.turnsOff = off
        if let freeBelow {
            guard let size = SizeArgument(freeBelow) else {
                throw ValidationError(tr("“{1}” is not a size: write 500M, 20G, or 0 for never.", freeBelow))
            }
            change.freeBelow = size.bytes
        }
        change.freeUnused = freeUnused.map { UInt64($0) * Self.secondsOfDay }
        if off && change.changesRule {
            throw ValidationError(tr("--off and --free-below or --free-unused exclude each other."))
        }
        return change
    }

    func run() async throws {
        let folder = try ItemArgument.parse(path).uri
        let call = try await Engines(bus: try await Bus.open()).change(folder, try change())
        let changed = try await FollowedCall.end(of: call, isShown: !output.json) { $0.lines(.fetch, on: $1) }
        let console = Console()
        if output.json {
            console.print(changed.json)
        } else {
            console.print(lines: changed.lines)
        }
    }
}

extension OnDemandFolder {
    /// The folder, what is where, and its rule.
    fileprivate var json: JSON {
        let place: [JSON.Member] = [
            .init("on_demand", .bool(status.isOnDemand)), .init("files_here", .optional(status.filesHere, JSON.number)),
            .init("bytes_here", .optional(status.bytesHere, JSON.number)),
            .init("files_online", .optional(status.filesOnline, JSON.number)),
            .init("bytes_online", .optional(status.bytesOnline, JSON.number)),
        ]
        let unknown = SyncFreeingRule.names.map { JSON.Member($0, .null) }
        return .object(JSON.item(status.uri) + place + (rule?.members ?? unknown))
    }

    fileprivate var lines: [String] {
        let path = DisplayText.escaped(WorkerPath.sentence(status.uri))
        guard status.isOnDemand else { return [tr("{1} is not on demand: all its files are on this computer.", path)] }
        var lines = [tr("{1} is on demand: {2}.", path, ContentsWords.amounts(status) ?? tr("nothing is known yet"))]
        guard let rule else { return lines }
        if rule.freeBelow > 0 {
            lines.append(
                tr(
                    "When less than {1} is free on the disk, what was not used for longest is freed.",
                    Quantity.bytes(rule.freeBelow)))
        }
        if rule.freeUnused > 0 {
            lines.append(tr("What was not opened for {1} is freed.", Quantity.time(rule.freeUnused)))
        }
        if rule == SyncFreeingRule() {
            lines.append(
                tr(
                    "Nothing is freed by itself. To change that: roundel on-demand {1} --free-below 20G",
                    DisplayText.escaped(WorkerPath.shellWord(status.uri))))
        }
        return lines
    }
}
