import ArgumentParser
import Client
import DBus
import RoundelBus
import Support

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: tr("Share an item by a link, or with people at its server."),
        discussion: tr(
            """
            Prints a link with which anybody can see the item, until the day that you say. With --with a person or a \
            group of the server gets it. What the server demands (an end, a password) is told before anything is \
            shared. --list prints the shares that the item has, with the ids for --edit and --end. --edit changes what \
            you name of a share and nothing else: its last day, its password, its rights. A folder that syncs with a \
            directory has nothing to share.
            """))

    @Argument(help: ArgumentHelp(tr("An item in a synced folder."), valueName: "path"), completion: .file())
    var path: String

    @Option(help: ArgumentHelp(tr("The last day on which the share works, such as 2026-12-24."), valueName: "date"))
    var until: String?

    @Flag(help: ArgumentHelp(tr("Ask for a password that opens the link, on the terminal or the standard input.")))
    var password = false

    @Option(help: ArgumentHelp(tr("A person or a group at the server, by name or address."), valueName: "name"))
    var with: String?

    @Option(help: ArgumentHelp(tr("What others may do: view, edit or upload."), valueName: "rights"))
    var rights: String?

    @Flag(help: ArgumentHelp(tr("Print the shares that the item has.")))
    var list = false

    @Option(help: ArgumentHelp(tr("Change the share with this id."), valueName: "id"))
    var edit: String?

    @Flag(help: ArgumentHelp(tr("With --edit: the share works without an end.")))
    var noEnd = false

    @Flag(help: ArgumentHelp(tr("With --edit: the link opens without a password.")))
    var noPassword = false

    @Option(help: ArgumentHelp(tr("End the share with this id."), valueName: "id"))
    var end: String?

    @OptionGroup var output: OutputOptions

    private var isWish: Bool { until != nil || password || with != nil || rights != nil }

    private var isEdit: Bool { noEnd || noPassword }

    func validate() throws {
        if (list ? 1 : 0) + (end != nil ? 1 : 0) + (isWish || edit != nil || isEdit ? 1 : 0) > 1 {
            throw ValidationError(tr("--list and --end go with no other option."))
        }
        if edit == nil, isEdit { throw ValidationError(tr("--no-end and --no-password need --edit.")) }
        if edit != nil {
            if with != nil { throw ValidationError(tr("A share is changed with the same people: leave out --with.")) }
            if !isWish && !isEdit {
                throw ValidationError(tr("Say what --edit is to change: --until, --password or --rights."))
            }
            if until != nil && noEnd { throw ValidationError(tr("Give --until or --no-end, not both.")) }
            if password && noPassword { throw ValidationError(tr("Give --password or --no-password, not both.")) }
        }
        if password, with != nil { throw ValidationError(tr("Only links have passwords: leave out --with.")) }
        if let until, CalendarDay(until) == nil {
            throw ValidationError(tr("“{1}” is no day. Write it like 2026-12-24.", until))
        }
        _ = try wantedRights()
    }

    private func wantedRights() throws -> SyncShare.Rights {
        guard let rights else { return .view }
        guard let known = SyncShare.Rights(rawValue: rights), known != .other else {
            throw ValidationError(tr("Rights are view, edit or upload, not “{1}”.", rights))
        }
        return known
    }

    func run() async throws {
        let item = try ItemArgument.parse(path).uri
        let engines = Engines(bus: try await Bus.open())
        let isPlain = !isWish && !isEdit && !list && end == nil && edit == nil
        let shares: SharesProxy
        do {
            let engine = try await engines.owner(of: item, offering: .shares)
            shares = SharesProxy(bus: try await Bus.open(), engine: engine.address)
            // Some engines have a share in their menu alone.
            if isPlain { _ = try await shares.rules(of: item.uri) }
        } catch let error where isPlain && Self.isAboutOffer(error) {
            return try await shareByMenu(item, engines)
        }
        let console = Console()
        if list {
            let found = try await shares.shares(of: item.uri)
            if output.json { return console.print(.array(found.map(\.json))) }
            if found.isEmpty { return console.print(tr("“{1}” is not shared.", item.sentencePath)) }
            return console.print(lines: SyncShare.lines(found, on: console.terminal))
        }
        if let end {
            try await shares.end(end, of: item.uri)
            if output.json { return console.print(.object(JSON.item(item.uri) + [.init("ended", .string(end))])) }
            return console.print(tr("The share of “{1}” has ended.", item.sentencePath))
        }
        if let edit {
            let share = try await change(edit, of: item, shares)
            if output.json { return console.print(share.json) }
            return console.print(lines: SyncShare.lines([share], on: console.terminal))
        }
        let share = try await add(item, shares)
        if output.json { return console.print(share.json) }
        report(share, item, console)
    }

    /// Whether an error says that the engine does not share the item by itself.
    private static func isAboutOffer(_ error: any Error) -> Bool {
        if let error = error as? DBusError {
            return [.unsupported, .unknownFolder].contains(error.roundelCode)
                || [.serviceUnknown, .nameHasNoOwner, .unknownMethod, .unknownInterface].contains(error.standard)
        }
        if case ClientError.notOffered = error { return true }
        return false
    }

    private func add(_ item: ItemURI, _ shares: SharesProxy) async throws -> SyncShare {
        let rights = try wantedRights()
        if let with {
            let recipient = try recipient(with, in: try await shares.recipients(with, for: item.uri))
            return try await shares.share(
                item.uri, recipient.kind.known ?? .user, with: recipient.with, rights: rights, until: until)
        }
        let rules = try await shares.rules(of: item.uri)
        var pipe: OwnedFileDescriptor?
        if password || rules.needsPassword && PasswordInput.isTerminal {
            if !password { Console.complain(tr("The server demands a password for links.")) }
            pipe = try Self.typedPassword()
            if pipe == nil { throw CommandFailure(tr("No password was given; nothing is shared.")) }
        }
        return try await shares.share(item.uri, .link, rights: rights, until: until, password: pipe)
    }

    private func change(_ share: String, of item: ItemURI, _ shares: SharesProxy) async throws -> SyncShare {
        var pipe: OwnedFileDescriptor?
        if password {
            pipe = try Self.typedPassword()
            if pipe == nil { throw CommandFailure(tr("No password was given; nothing is changed.")) }
        }
        return try await shares.change(
            share, of: item.uri, rights: rights == nil ? nil : try wantedRights(), until: noEnd ? "" : until,
            password: pipe, dropsPassword: noPassword)
    }

    /// The end of a pipe that gives a password, from the terminal or the standard input; nil if none is typed.
    private static func typedPassword() throws -> OwnedFileDescriptor? {
        try SignIn.secretly {
            PasswordInput.isTerminal
                ? try PasswordInput.password(prompt: tr("Password that opens the link: "))
                : try PasswordInput.line()
        }
    }

    private func recipient(_ name: String, in found: [SyncShareRecipient]) throws -> SyncShareRecipient {
        switch NamedRecipient(name, in: found) {
        case .one(let recipient): return recipient
        case .nobody:
            throw CommandFailure(tr("The server knows nobody called “{1}” with whom you can share.", name))
        case .several(let several):
            let names = several.prefix(5).map { $0.detail.isEmpty ? $0.name : "\($0.name) (\($0.detail))" }
            throw CommandFailure(
                tr("Several are called “{1}”: {2}. Name one exactly.", name, names.joined(separator: ", ")))
        }
    }

    private func report(_ share: SyncShare, _ item: ItemURI, _ console: Console) {
        if let address = share.address {
            console.print(lines: [DisplayText.escaped(address)])
            if let until = share.until { Console.complain(tr("The link works until {1}.", until)) }
            return
        }
        let name = share.name ?? share.with ?? ""
        console.print(
            DisplayText.escaped(
                share.until.map { tr("“{1}” is shared with {2} until {3}.", item.sentencePath, name, $0) }
                    ?? tr("“{1}” is shared with {2}.", item.sentencePath, name)))
    }

    /// Shares an item as its menu in a file manager does.
    private func shareByMenu(_ item: ItemURI, _ engines: Engines) async throws {
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
