import ArgumentParser
import RoundelBus

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List, enable, disable and forget sync engines.",
        subcommands: [
            ProvidersListCommand.self, ProvidersEnableCommand.self, ProvidersDisableCommand.self,
            ProvidersForgetCommand.self,
        ],
        defaultSubcommand: ProvidersListCommand.self)
}

struct ProvidersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the known providers.",
        discussion: """
            With --json: [{"id":…,"name":…,"enabled":…,"running":…,"folders":[{"uri":…,"path":…}],"last_error":…}].
            """)

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
        commandName: "enable", abstract: "Enable a provider; it is started.",
        discussion: "With --json: {\"id\":…,\"enabled\":…}.")

    @Argument(help: ArgumentHelp("The provider's id.", valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).enable(id)
        if output.json { Console().print(.object([.init("id", .string(id)), .init("enabled", true)])) }
    }
}

struct ProvidersDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a provider; its badges and menus go.",
        discussion: "With --json: {\"id\":…,\"enabled\":…}.")

    @Argument(help: ArgumentHelp("The provider's id.", valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).disable(id)
        if output.json { Console().print(.object([.init("id", .string(id)), .init("enabled", false)])) }
    }
}

struct ProvidersForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget the folders of a provider that does not run.",
        discussion: """
            For a provider that is gone and has left folders behind. No file is deleted; if the provider comes back, it \
            registers its folders again. With --json: {"id":…,"forgotten":true}.
            """)

    @Argument(help: ArgumentHelp("The provider's id.", valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await ProvidersProxy(bus: try await Bus.open()).forget(id)
        if output.json { Console().print(.object([.init("id", .string(id)), .init("forgotten", true)])) }
    }
}
