import ArgumentParser
import DBus
import RoundelBus
import Support

extension ArgumentHelp {
    fileprivate static var providerID: ArgumentHelp { ArgumentHelp(tr("The provider's id."), valueName: "id") }
}

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: tr("List, enable, disable, forget and allow sync engines."),
        subcommands: [
            ProvidersListCommand.self, ProvidersEnableCommand.self, ProvidersDisableCommand.self,
            ProvidersForgetCommand.self, ProvidersAllowCommand.self, ProvidersDisallowCommand.self,
        ],
        defaultSubcommand: ProvidersListCommand.self)
}

struct ProvidersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: tr("List the known providers."),
        discussion: tr("A folder above or below another provider's waits until it is allowed."))

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let providers = try await ProvidersProxy(bus: try await Bus.open()).list()
        let console = Console()
        if output.json {
            console.print(.array(providers.map(\.json)))
        } else if providers.isEmpty {
            console.print(tr("No provider is known. See: roundel doctor"))
        } else {
            var table = Table([.left, .left, .left, .left, .left])
            for provider in providers {
                let style: Style =
                    provider.isNew || provider.enabled && !provider.running
                    ? .yellow : provider.enabled ? .green : .dim
                let folders = tr(provider.folders.count, one: "1 folder", other: "{1} folders")
                // What is wrong matters more than what it does.
                let words =
                    provider.lastError.isEmpty
                    ? Table.Cell(provider.summary, .dim) : Table.Cell(provider.lastError, .red)
                table.append([
                    Table.Cell(provider.id.rawValue, .bold), Table.Cell(Self.state(of: provider), style),
                    Table.Cell(provider.name), Table.Cell(folders, .dim), words,
                ])
            }
            console.print(lines: table.lines(on: console.terminal))
            for provider in providers where provider.isNew {
                let (name, command) = (DisplayText.escaped(provider.name), "roundel providers enable \(provider.id)")
                console.print(
                    provider.app.isEmpty
                        ? tr("“{1}” was just installed. Turn it on: {2}", name, command)
                        : tr("“{1}” ({2}) asks from a sandbox. Turn it on: {3}", name, provider.app, command))
            }
            for provider in providers {
                for waiting in provider.waiting { console.print(Self.waits(waiting, of: provider)) }
            }
        }
    }

    /// A line below the list, with the command that gives consent.
    private static func waits(_ waiting: ProviderSummary.Waiting, of provider: ProviderSummary) -> String {
        let folder = waiting.folder
        let command = "roundel providers allow \(provider.id) \(WorkerPath.shellWord(folder.uri))"
        return folder.isBelow(waiting.other)
            ? tr(
                "{1} waits in {2}, which is inside {3} of {4}. Allow it: {5}", provider.id.rawValue,
                folder.sentencePath, waiting.other.sentencePath, waiting.provider.rawValue, command)
            : tr(
                "{1} waits in {2}, which contains {3} of {4}. Allow it: {5}", provider.id.rawValue, folder.sentencePath,
                waiting.other.sentencePath, waiting.provider.rawValue, command)
    }

    private static func state(of provider: ProviderSummary) -> String {
        if provider.isNew { return tr("new") }
        return !provider.enabled
            ? tr("disabled") : provider.running ? tr("running") : tr("not running")
    }
}

extension ProviderSummary {
    fileprivate var json: JSON {
        .object([
            .init("id", .string(id.rawValue)), .init("name", .string(name)),
            .init("description", summary.isEmpty ? .null : .string(summary)), .init("enabled", .bool(enabled)),
            .init("app", app.isEmpty ? .null : .string(app)),
            .init("new", .bool(isNew)), .init("running", .bool(running)),
            .init("folders", .array(folders.map { .object(JSON.item($0.uri)) })),
            .init("waiting", .array(waiting.map(\.json))),
            .init("last_error", lastError.isEmpty ? .null : .string(lastError)),
            .init("trouble", trouble.map { .string($0.rawValue) } ?? .null),
        ])
    }
}

extension ProviderSummary.Waiting {
    fileprivate var json: JSON {
        .object(
            JSON.item(folder.uri) + [
                .init("provider", .string(provider.rawValue)), .init("other", .object(JSON.item(other.uri))),
            ])
    }
}

struct ProvidersEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: tr("Enable a provider; it is started."))

    @Argument(help: .providerID)
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).enable(id)
        let console = Console()
        if output.json { return console.print(.object([.init("id", .string(id)), .init("enabled", true)])) }
        console.print(tr("“{1}” is enabled.", DisplayText.escaped(id)))
    }
}

struct ProvidersDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: tr("Disable a provider; its badges and menus go."))

    @Argument(help: .providerID)
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).disable(id)
        let console = Console()
        if output.json { return console.print(.object([.init("id", .string(id)), .init("enabled", false)])) }
        console.print(tr("“{1}” is disabled: its badges and menus go.", DisplayText.escaped(id)))
    }
}

struct ProvidersForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: tr("Forget the folders of a provider that does not run."),
        discussion: tr(
            """
            For a provider that is gone and has left folders behind. No file is deleted; if the provider comes back, \
            it registers its folders again.
            """))

    @Argument(help: .providerID)
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).forget(id)
        let console = Console()
        if output.json { return console.print(.object([.init("id", .string(id)), .init("forgotten", true)])) }
        console.print(tr("The folders of “{1}” are forgotten.", DisplayText.escaped(id)))
    }
}

struct ProvidersAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: tr("Allow a provider to show badges in a folder above or below another provider's."),
        discussion: tr("What lies in folders of several providers is shown by the one whose folder is the deepest."))

    @Argument(help: .providerID)
    var id: String

    @Argument(
        help: ArgumentHelp(tr("Its folders; all that wait, if none is given."), valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let providers = ProvidersProxy(bus: try await Bus.open())
        var folders = try paths.map { try ItemArgument.parse($0).uri }
        if folders.isEmpty {
            folders = try await providers.list().first { $0.id.rawValue == id }?.waiting.map(\.folder) ?? []
            guard !folders.isEmpty else {
                throw CommandFailure(tr("No folder of “{1}” waits to be allowed. See: roundel providers", id))
            }
        }
        try await Self.advising { for folder in folders { try await providers.allow(id, folder) } }
        let console = Console()
        if output.json {
            console.print(.object([.init("id", .string(id)), .init("allowed", .array(folders.map(\.json)))]))
        } else {
            for folder in folders { console.print(tr("“{1}” shows its badges in {2}.", id, folder.sentencePath)) }
        }
    }
}

struct ProvidersDisallowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disallow", abstract: tr("Take back what was allowed to a provider for a folder."))

    @Argument(help: .providerID)
    var id: String

    @Argument(help: ArgumentHelp(tr("Its folders."), valueName: "path"), completion: .file())
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let providers = ProvidersProxy(bus: try await Bus.open())
        let folders = try paths.map { try ItemArgument.parse($0).uri }
        try await Self.advising { for folder in folders { try await providers.disallow(id, folder) } }
        let console = Console()
        if output.json {
            console.print(.object([.init("id", .string(id)), .init("disallowed", .array(folders.map(\.json)))]))
        } else {
            for folder in folders {
                console.print(
                    DisplayText.escaped(tr("“{1}” shows no badges in {2} any more.", id, folder.sentencePath)))
            }
        }
    }
}

extension ParsableArguments {
    /// Does something with folders of providers; its errors lead to those, and not to the synced folders.
    fileprivate static func advising(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as DBusError where error.roundelCode == .unknownFolder {
            throw AdvisedError(error, Advice.after(.unknownProvider))
        } catch let error as DBusError where error.roundelCode == .limitExceeded {
            throw AdvisedError(error, tr("To take one back: roundel providers disallow ID PATH"))
        }
    }
}

extension ItemURI {
    fileprivate var json: JSON { .object(JSON.item(uri)) }
}
