import ArgumentParser
import BadgeService
import Checking
import DBus
import RoundelBus
import Support
import SystemPackage

/// Whether a provider keeps the rules.
struct CheckProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-provider", abstract: tr("Check a sync engine against the rules of the interface."),
        discussion: tr(
            """
            Starts the provider on a bus of its own, with a new home directory, and plays the badge service and the hosts \
            behind it: what they ask, and what they never would. Says of each rule of Documentation/specification.md \
            that can be seen from outside whether it was kept: ok, failed, advice for what should be kept, or not \
            played. Without a command the provider is started as its D-Bus service file says. The exit status is 1 if a \
            rule is broken that must be kept.
            """))

    @Argument(
        help: ArgumentHelp(
            tr("The provider's id, or the path of its manifest, which need not be installed."), valueName: "id"))
    var provider: String

    @Option(
        help: ArgumentHelp(
            tr("A home directory that is prepared for the provider; by default it gets a new one."),
            valueName: "dir"), completion: .directory)
    var home: String?

    @Option(
        help: ArgumentHelp(
            tr("The item of a menu to choose; by default the first one, in a new home directory only."),
            valueName: "item"))
    var activate: String?

    @Flag(
        help: ArgumentHelp(
            tr(
                "Look at the provider as it runs in this session: ask what hosts ask, and nothing that changes anything."
            )))
    var session = false

    @Flag(help: ArgumentHelp(tr("Fail for the rules as well that should be kept.")))
    var strict = false

    @OptionGroup var output: OutputOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            tr("The command that starts the provider. {} in it is a folder with some files in the new home directory."),
            valueName: "command"))
    var command: [String] = []

    func run() async throws {
        let (id, announced) = try subject()
        if session { return try await look(id, announced) }
        guard let words = command.isEmpty ? announced?.command : command, !words.isEmpty else {
            throw CommandFailure(
                tr("Nothing says how to start “{1}”. Give a command: roundel check-provider ID -- COMMAND", id.rawValue)
            )
        }
        let (home, item, isStrict, isJSON) = (try home.map(Self.directory), activate, strict, output.json)
        try await Interruptible.run {
            let stand = ProviderStand(id, busName: announced?.busName)
            if let announced {
                stand.note(.manifest(problem: announced.problem))
            } else {
                stand.note(.noManifest)
            }
            let session = try PrivateSession()
            defer { session.close() }
            let folder = try session.makeFolder("Folder", ["a b", "c%d", "below/", "below/e", "ü", "z"])
            _ = try session.makeFolder("Folder" + ProviderPlay.besideSuffix, ["secret"])
            let plan = ProviderPlay.Plan(folder: folder, item: item, mayChoose: home == nil)
            var play = try await ProviderPlay(stand, plan, in: session)
            let program = try session.start(
                words.map { $0.replacing("{}", with: folder) }, home: home ?? session.home)
            try await play.run(program)
            try Self.report(stand, of: id, isStrict: isStrict, isJSON: isJSON)
        }
    }

    private static func report(_ stand: ProviderStand, of id: ProviderID, isStrict: Bool, isJSON: Bool) throws {
        let report = CheckReport(verdicts: stand.state.verdicts, isStrict: isStrict)
        let console = Console()
        if isJSON {
            console.print(report.json([.init("provider", .string(id.rawValue))]))
        } else {
            console.print(lines: report.lines(on: console.terminal))
        }
        if !report.passes { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    /// Checks a provider of this session.
    private func look(_ id: ProviderID, _ announced: AnnouncedProvider?) async throws {
        let bus = try await Bus.open()
        let host = HostProxy(bus: bus)
        let known = try await ProvidersProxy(bus: bus).list().first { $0.id == id }
        guard let known, let name = announced?.busName, let object = announced?.object,
            let owner = try await bus.owner(of: name)
        else {
            throw CommandFailure(
                tr("“{1}” does not run in this session, or has no manifest that names its object.", id.rawValue))
        }
        let badges = try await host.properties().badges.map(\.badge).filter { $0.belongs(to: id) }
        let stand = ProviderStand(id, busName: name)
        stand.note(.manifest(problem: nil))
        stand.find(owner, object, folders: known.folders, badges: badges.map(\.identifier))
        try await ProviderPlay(stand, lookingOn: bus).look()
        await bus.close()
        try Self.report(stand, of: id, isStrict: strict, isJSON: output.json)
    }

    /// The provider, and the files that announce it; nil if there are none.
    private func subject() throws -> (ProviderID, AnnouncedProvider?) {
        if let id = ProviderID(provider) { return (id, AnnouncedProvider.installed(id)) }
        let path = try ItemArgument.parse(provider).uri
        guard let announced = AnnouncedProvider(manifest: path.filePath) else {
            throw CommandFailure(
                tr("“{1}” is neither the id of a provider nor a manifest, ID.provider.", path.sentencePath),
                status: .usage)
        }
        return (announced.id, announced)
    }

    private static func directory(_ path: String) throws -> String {
        let place = try ItemArgument.parse(path).uri
        guard ListedItem.kind(of: place.filePath) == .directory else {
            throw CommandFailure(tr("“{1}” is not a folder.", place.sentencePath))
        }
        return place.filePath.string
    }
}
