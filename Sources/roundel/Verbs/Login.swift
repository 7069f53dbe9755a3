import ArgumentParser
import DBus
import RoundelBus
import Secrets

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: Help.Login.abstract, discussion: Help.Login.discussion)

    @Argument(help: ArgumentHelp(Help.Login.remote, valueName: "path|remote"))
    var remote: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        CoreDumps.forbid()
        let argument = try LoginArgument.parse(remote)
        let bus = try await Bus.open()
        let folders = AccountFolders(bus: bus)
        let account = try argument.account(of: argument.isItem ? try await folders.all() : [])
        let store = SecretStore(bus: bus)
        // Nobody types a password in vain.
        try await SecretSentence.throwing { () async throws(SecretStoreError) in try await store.check() }
        let login = try read(for: account)
        try await SecretSentence.throwing { () async throws(SecretStoreError) in
            try await store.save(login, for: account.server, asking: SecretSentence.patience)
        }
        let console = Console()
        let saved = RemoteAccount(server: account.server, user: login.user)
        if !output.json { console.print(DisplayText.escaped(Text.loggedIn(login.user, at: account.server))) }
        let (used, isKnown) = await folders.using(saved)
        var isWell = isKnown
        for folder in used {
            // A folder that cannot be synced at the moment is no reason to leave out the others.
            let isSynced = await folders.sync(folder)
            if isSynced, !output.json {
                console.print(DisplayText.escaped(Text.syncsAgain(WorkerPath.sentence(folder.uri))))
            }
            isWell = isWell && isSynced
        }
        if output.json {
            console.print(
                .object([
                    .init("server", .string(account.server)), .init("user", .string(login.user)),
                    .init("folders", .array(used.map { .object(WorkerPath.json($0.uri)) })),
                ]))
        }
        try finish(isWell ? .done : .needsUser)
    }

    private func read(for account: RemoteAccount) throws -> StoredLogin {
        guard account.user != nil || PasswordInput.isTerminal else {
            throw CommandFailure(Text.userIsMissing, status: .usage)
        }
        let server = DisplayText.escaped(account.server)
        let user = try account.user ?? PasswordInput.user(prompt: Text.askForUser(at: server))
        let prompt = Text.askForPassword(of: DisplayText.escaped(user), at: server)
        return StoredLogin(user: user, password: try PasswordInput.password(prompt: prompt))
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: Help.Logout.abstract, discussion: Help.Logout.discussion)

    @Argument(help: ArgumentHelp(Help.Login.remote, valueName: "path|remote"))
    var remote: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let argument = try LoginArgument.parse(remote)
        let bus = try await Bus.open()
        let folders = AccountFolders(bus: bus)
        let account = try argument.account(of: argument.isItem ? try await folders.all() : [])
        let store = SecretStore(bus: bus)
        let users = try await SecretSentence.throwing { () async throws(SecretStoreError) in
            try await store.remove(account, asking: SecretSentence.patience)
        }
        guard !users.isEmpty else {
            throw CommandFailure(Text.notLoggedIn(account.user, at: account.server))
        }
        let (used, isKnown) = await folders.using(account)
        let console = Console()
        if output.json {
            console.print(
                .object([
                    .init("server", .string(account.server)), .init("users", .strings(users)),
                    .init("folders", .array(used.map { .object(WorkerPath.json($0.uri)) })),
                ]))
        } else {
            var lines = users.map { Text.loggedOut($0, at: account.server) }
            lines += used.map { Text.needsLogin(WorkerPath.sentence($0.uri), word: WorkerPath.shellWord($0.uri)) }
            console.print(lines: lines.map(DisplayText.escaped))
        }
        try finish(isKnown ? .done : .needsUser)
    }
}

extension LoginArgument {
    /// Whether the worker has to be asked which account it is.
    var isItem: Bool {
        switch self {
        case .account: false
        case .item: true
        }
    }
}
