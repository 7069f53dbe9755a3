import ArgumentParser
import Client
import RoundelBus
import Secrets
import Support

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: Help.Login.abstract, discussion: Help.Login.discussion)

    @Argument(help: ArgumentHelp(Help.Login.remote, valueName: "path|remote"), completion: .file())
    var remote: String

    @Flag(help: ArgumentHelp(Help.Login.password))
    var password = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let argument = try LoginArgument.parse(remote)
        let bus = try await Bus.open()
        let folders = AccountFolders(bus: bus)
        let remote = try await argument.remote(of: folders)
        let account = remote.account
        let saved = try await LoginDialog(bus: bus, takesPages: !password).run(for: remote)
        let user = saved.user ?? ""
        let console = Console()
        if !output.json { console.print(DisplayText.escaped(Text.loggedIn(user, at: account.server))) }
        let (used, isKnown) = await folders.known(for: saved)
        var isWell = isKnown
        if let named = account.user, named != user {
            Console.complain(Text.anotherUser(user, than: named))
            isWell = false
        }
        for folder in used {
            do {
                try await folders.sync(folder)
                if !output.json {
                    console.print(DisplayText.escaped(Text.syncsAgain(WorkerPath.sentence(folder.uri))))
                }
            } catch {
                // A folder that cannot be synced now must not prevent the others from syncing.
                Console.complain(ErrorSentence.of(error))
                isWell = false
            }
        }
        if output.json {
            console.print(
                .object([
                    .init("server", .string(account.server)), .init("user", .string(user)),
                    .init("folders", .array(used.map { .object(JSON.item($0.uri)) })),
                ]))
        }
        try finish(isWell ? .done : .needsUser)
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: Help.Logout.abstract, discussion: Help.Logout.discussion)

    @Argument(help: ArgumentHelp(Help.Login.remote, valueName: "path|remote"), completion: .file())
    var remote: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let argument = try LoginArgument.parse(remote)
        let bus = try await Bus.open()
        let folders = AccountFolders(bus: bus)
        let remote = try await argument.remote(of: folders)
        let account = remote.account
        let ended = try await SavedAccounts(bus: bus).end(at: remote)
        let users = ended.map(\.user)
        guard !users.isEmpty else {
            throw CommandFailure(Text.notLoggedIn(account.user, at: account.server))
        }
        let (used, isKnown) = await folders.known(for: account)
        let console = Console()
        if output.json {
            console.print(
                .object([
                    .init("server", .string(account.server)), .init("users", .strings(users)),
                    .init("revoked", .strings(ended.filter(\.isRevoked).map(\.user))),
                    .init("folders", .array(used.map { .object(JSON.item($0.uri)) })),
                ]))
        } else {
            var lines = ended.map {
                $0.isRevoked ? Text.takenBack($0.user, at: account.server) : Text.loggedOut($0.user, at: account.server)
            }
            lines += used.map { Text.needsLogin(WorkerPath.sentence($0.uri), word: WorkerPath.shellWord($0.uri)) }
            console.print(lines: lines.map(DisplayText.escaped))
        }
        try finish(isKnown ? .done : .needsUser)
    }
}

extension AccountFolders {
    /// The folders that sync with an account. Reports to the user why they cannot be listed.
    fileprivate func known(for account: RemoteAccount) async -> (folders: [SyncedFolder], isKnown: Bool) {
        do {
            return (try await using(account), true)
        } catch {
            Console.complain(ErrorSentence.of(error))
            return ([], false)
        }
    }
}
