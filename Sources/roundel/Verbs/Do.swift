import ArgumentParser
import Client
import RoundelBus
import Support

struct DoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do", abstract: tr("Carry out an action of a menu."),
        discussion: tr(
            """
            The ids are those of `roundel menu`. With PATHs the item is looked for in the menu of the items, then in \
            that of the directory's background and the sidebar; without, in the toolbar's.
            """))

    @Argument(help: ArgumentHelp(tr("The item's id."), valueName: "item-id"))
    var item: String

    @Argument(help: ArgumentHelp(tr("The items that it acts on."), valueName: "path"), completion: .file())
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let items = try paths.map(ItemArgument.parse).map(\.uri)
        let host = HostProxy(bus: try await Bus.open())
        let action = try await MenuAction.find(item, for: items, host: host)
        // This command prints the result, so no other program needs to report it. If a launcher started the command
        // with a token, windows that the action opens may take the focus.
        let token = ProcessEnvironment.valid("XDG_ACTIVATION_TOKEN")
        let end = try await action.perform(ActivationOptions(activationToken: token, showsResult: true))
        try end.report(json: output.json, otherwise: tr("Done."))
    }
}

extension FinishedAction {
    /// Tells the user how the action ended.
    ///
    /// - Parameter sentence: What to print if it is done and says nothing.
    /// - Throws: ``CommandFailure`` if it is not done.
    func report(json isJSON: Bool, otherwise sentence: String) throws {
        let console = Console()
        if isJSON {
            console.print(json)
        } else if outcome == .done {
            // A terminal has no clipboard for the text.
            let said = (message.split(separator: "\n").map(String.init) + [clipboard?.text ?? ""]).filter {
                !$0.isEmpty
            }
            console.print(lines: (said.isEmpty ? [sentence] : said).map(DisplayText.escaped))
        }
        try requireDone()
    }

    /// - Throws: ``CommandFailure`` if it is not done.
    func requireDone() throws {
        switch outcome {
        case .done: return
        case .cancelled: throw CommandFailure(message.isEmpty ? tr("The action was cancelled.") : message)
        case .failed: throw CommandFailure(message.isEmpty ? tr("The action failed.") : message)
        }
    }

    fileprivate var json: JSON {
        .object(
            [.init("id", .string(item)), .init("outcome", .string(outcome.word)), .init("message", .string(message))]
                + (clipboard.map { [.init("clipboard", .string($0.text))] } ?? []))
    }
}

extension ActionOutcome {
    /// The word for the result in JSON.
    fileprivate var word: String {
        switch self {
        case .done: "done"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}
