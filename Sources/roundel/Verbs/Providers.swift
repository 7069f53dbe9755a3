import ArgumentParser
import RoundelBus

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: Help.Providers.abstract,
        subcommands: [
            ProvidersListCommand.self, ProvidersEnableCommand.self, ProvidersDisableCommand.self,
            ProvidersForgetCommand.self,
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
        }
    }
}

extension ProviderSummary {
    fileprivate var json: JSON {
        .object([
            .init("id", .string(id.rawValue)), .init("name", .string(name)), .init("enabled", .bool(enabled)),
            .init("running", .bool(running)),
            .init("folders", .array(folders.map { .object(WorkerPath.json($0.uri)) })),
            .init("last_error", lastError.isEmpty ? .null : .string(lastError)),
        ])
    }
}

struct ProvidersEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: Help.ProvidersEnable.abstract,
        discussion: Help.ProvidersEnable.discussion)

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
        commandName: "disable", abstract: Help.ProvidersDisable.abstract,
        discussion: Help.ProvidersDisable.discussion)

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
