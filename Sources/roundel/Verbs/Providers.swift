import ArgumentParser
import RoundelBus
import Support

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: Help.Providers.abstract,
        subcommands: [
            ProvidersListCommand.self, ProvidersEnableCommand.self, ProvidersDisableCommand.self,
            ProvidersForgetCommand.self, ProvidersAllowCommand.self, ProvidersDisallowCommand.self,
        ],
        defaultSubcommand: ProvidersListCommand.self)
}

struct ProvidersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Help.ProvidersList.abstract,
        discussion: Help.ProvidersList.discussion)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let providers = try await ProvidersProxy(bus: try await Bus.open()).list()
        let console = Console()
        if output.json {
            console.print(.array(providers.map(\.json)))
        } else if providers.isEmpty {
            console.print(Text.noProviders)
        } else {
            var table = Table([.left, .left, .left, .left, .left])
            for provider in providers {
                let style: Style = !provider.enabled ? .dim : provider.running ? .green : .yellow
                let folders = Text.folders(provider.folders.count)
                table.append([
                    Table.Cell(provider.id.rawValue, .bold), Table.Cell(Text.state(of: provider), style),
                    Table.Cell(provider.name),
                    Table.Cell(folders, .dim), Table.Cell(provider.lastError, .red),
                ])
            }
            console.print(lines: table.lines(on: console.terminal))
            for provider in providers {
                for waiting in provider.waiting { console.print(Text.waits(waiting, of: provider)) }
            }
        }
    }
}

extension ProviderSummary {
    fileprivate var json: JSON {
        .object([
            .init("id", .string(id.rawValue)), .init("name", .string(name)), .init("enabled", .bool(enabled)),
            .init("running", .bool(running)),
            .init("folders", .array(folders.map { .object(JSON.item($0.uri)) })),
            .init("waiting", .array(waiting.map(\.json))),
            .init("last_error", lastError.isEmpty ? .null : .string(lastError)),
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
        commandName: "enable", abstract: Help.ProvidersEnable.abstract)

    @Argument(help: ArgumentHelp(Help.ProvidersEnable.id, valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).enable(id)
        if output.json { Console().print(.object([.init("id", .string(id)), .init("enabled", true)])) }
    }
}

struct ProvidersDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: Help.ProvidersDisable.abstract)

    @Argument(help: ArgumentHelp(Help.ProvidersDisable.id, valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).disable(id)
        if output.json { Console().print(.object([.init("id", .string(id)), .init("enabled", false)])) }
    }
}

struct ProvidersForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: Help.ProvidersForget.abstract,
        discussion: Help.ProvidersForget.discussion)

    @Argument(help: ArgumentHelp(Help.ProvidersForget.id, valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).forget(id)
        if output.json { Console().print(.object([.init("id", .string(id)), .init("forgotten", true)])) }
    }
}

struct ProvidersAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: Help.ProvidersAllow.abstract,
        discussion: Help.ProvidersAllow.discussion)

    @Argument(help: ArgumentHelp(Help.ProvidersAllow.id, valueName: "id"))
    var id: String

    @Argument(help: ArgumentHelp(Help.ProvidersAllow.paths, valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let providers = ProvidersProxy(bus: try await Bus.open())
        var folders = try paths.map { try ItemArgument.parse($0).uri }
        if folders.isEmpty {
            folders = try await providers.list().first { $0.id.rawValue == id }?.waiting.map(\.folder) ?? []
            guard !folders.isEmpty else { throw CommandFailure(Text.nothingWaits(id)) }
        }
        for folder in folders { try await providers.allow(id, folder) }
        let console = Console()
        if output.json {
            console.print(.object([.init("id", .string(id)), .init("allowed", .array(folders.map(\.json)))]))
        } else {
            for folder in folders { console.print(Text.allowed(id, in: folder)) }
        }
    }
}

struct ProvidersDisallowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disallow", abstract: Help.ProvidersDisallow.abstract)

    @Argument(help: ArgumentHelp(Help.ProvidersDisallow.id, valueName: "id"))
    var id: String

    @Argument(help: ArgumentHelp(Help.ProvidersDisallow.paths, valueName: "path"), completion: .file())
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let providers = ProvidersProxy(bus: try await Bus.open())
        let folders = try paths.map { try ItemArgument.parse($0).uri }
        for folder in folders { try await providers.disallow(id, folder) }
        guard output.json else { return }
        Console().print(.object([.init("id", .string(id)), .init("disallowed", .array(folders.map(\.json)))]))
    }
}

extension ItemURI {
    fileprivate var json: JSON { .object(JSON.item(uri)) }
}
