import ArgumentParser
import Client
import RoundelBus
import Setup
import Support

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: tr("Open Roundel's window, or an item on the remote: its page on a server, or its directory."),
        discussion: tr(
            """
            A Nextcloud server shows the item's page in the browser, another server its address, and a directory is \
            opened in the file manager. Folders of Syncthing open Syncthing's own page. Without PATH, Roundel's window is \
            opened; where it is not installed, the states of the folders in a terminal.
            """))

    @Argument(help: ArgumentHelp(tr("A synced folder or something in it."), valueName: "path"), completion: .file())
    var path: String?

    @Flag(name: [.customLong("print")], help: ArgumentHelp(tr("Print the address and open nothing.")))
    var printsOnly = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard path == nil, printsOnly || output.json else { return }
        throw ValidationError(tr("--print and --json say the address of an item; name one."))
    }

    func run() async throws {
        guard let path else { return try await OwnWindow.open() }
        let item = try ItemArgument.parse(path).uri
        let bus = try await Bus.open()
        let engines = Engines(bus: bus)
        let address = try await engines.ask(ownerOf: item) { (engine: FoldersProxy) in
            try await engine.address(item.uri)
        }
        if !printsOnly { try await open(item, at: address, engines) }
        let console = Console()
        if output.json {
            console.print(
                .object(
                    JSON.item(item.uri) + [
                        .init("address", .string(address)), .init("opened", .bool(!printsOnly)),
                    ]))
        } else {
            let shown = DisplayText.escaped((try? ItemURI(address))?.displayPath ?? address)
            console.print(printsOnly ? shown : tr("{1} was opened.", shown))
        }
    }

    /// Has the engine open it, as its menu does; if its menu has no such item, opens the address.
    private func open(_ item: ItemURI, at address: String, _ engines: Engines) async throws {
        do {
            let action = try await MenuAction.findToOpen(item, engines)
            let token = ProcessEnvironment.valid("XDG_ACTIVATION_TOKEN")
            let end = try await action.perform(ActivationOptions(activationToken: token, showsResult: true))
            try end.requireDone()
        } catch ClientError.unknownAction {
            guard ChildProgram.start(["xdg-open", address]) else {
                throw CommandFailure(tr("No program opens {1}: xdg-open is missing.", address))
            }
        }
    }
}
