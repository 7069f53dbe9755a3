import ArgumentParser
import Client
import RoundelBus
import Support

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: tr("Share an item, as its menu in a file manager does."),
        discussion: tr(
            """
            What a share is, the server says that the item is synced with: a Nextcloud server gives a link, which is \
            printed. A folder that syncs with a directory has nothing to share.
            """))

    @Argument(help: ArgumentHelp(tr("An item in a synced folder."), valueName: "path"), completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path).uri
        let engines = Engines(bus: try await Bus.open())
        do {
            let action = try await MenuAction.findToShare(item, engines)
            let token = ProcessEnvironment.valid("XDG_ACTIVATION_TOKEN")
            let end = try await action.perform(ActivationOptions(activationToken: token, showsResult: true))
            try end.report(json: output.json, otherwise: tr("“{1}” is shared.", item.sentencePath))
        } catch ClientError.unknownAction {
            // Whether it is in a synced folder at all.
            _ = try await engines.ask(ownerOf: item) { (engine: FoldersProxy) in try await engine.status(item.uri) }
            throw CommandFailure(
                tr("“{1}” cannot be shared: what it is synced with offers no shares of it.", item.sentencePath),
                code: .notOffered)
        } catch ClientError.disabledAction {
            throw CommandFailure(
                tr(
                    "“{1}” cannot be shared now: it is not on the server yet, or the server does not let you.",
                    item.sentencePath))
        }
    }
}
