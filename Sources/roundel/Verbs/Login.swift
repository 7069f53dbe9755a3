import ArgumentParser
import Client
import RoundelBus
import Secrets
import Support

extension ArgumentHelp {
    fileprivate static var pathOrRemote: ArgumentHelp {
        ArgumentHelp(
            tr("A synced folder, or the address of a remote: webdav+https://USER@HOST/PATH."),
            valueName: "path|remote")
    }
}

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: tr("Save the password of a remote in your keyring."),
        discussion: tr(
            """
            A server that gives programs passwords of their own (Nextcloud) has a page on which you log in: its \
            address is printed, and opened in your browser where there is one. Otherwise, or with --password, the \
            password is asked for on the terminal. Where the standard input is no terminal, the password is read \
            from it as one line; without any the page is used. It is never taken from arguments or variables. It \
            goes to the Secret Service of the desktop (gnome-keyring, KWallet), encrypted, and into no file of \
            Roundel's. A password that you give is tried at the server, and not saved if the server refuses it; one \
            that cannot be tried now is saved. Folders that sync with it are synced now.
            """))

    @Argument(help: .pathOrRemote, completion: .file())
    var remote: String

    @Flag(help: ArgumentHelp(tr("Ask for a password, even where the server has a page to log in on.")))
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
        if !output.json {
            console.print(
                DisplayText.escaped(tr("The password of “{1}” at {2} is saved in your keyring.", user, account.server)))
        }
        let (used, isKnown) = await folders.known(for: saved)
        var isWell = isKnown
        if let named = account.user, named != user {
            Console.complain(
                tr(
                    "You logged in as “{1}”, but the address names “{2}”: what syncs with it cannot use that.", user,
                    named))
            isWell = false
        }
        for folder in used {
            do {
                try await folders.sync(folder)
                if !output.json {
                    console.print(DisplayText.escaped(tr("{1} syncs with it.", WorkerPath.sentence(folder.uri))))
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
        commandName: "logout", abstract: tr("Delete the password of a remote from your keyring."),
        discussion: tr(
            """
            Without a user in the address all passwords for that server are deleted. A password that the server gave \
            to this computer, when you logged in on its page, is first taken back there; one that you typed is not, \
            as you may use it elsewhere. Synced folders stay synced folders, and need the password again. The exit \
            status is 1 if none is saved.
            """))

    @Argument(help: .pathOrRemote, completion: .file())
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
            throw CommandFailure(Self.notLoggedIn(account.user, at: account.server))
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
                $0.isRevoked
                    ? tr(
                        "The password of “{1}” at {2} was taken back there, and deleted from your keyring.", $0.user,
                        account.server)
                    : tr("The password of “{1}” at {2} was deleted from your keyring.", $0.user, account.server)
            }
            lines += used.map {
                tr(
                    "{1} syncs with it and will need a password. To log in again: roundel login {2}",
                    WorkerPath.sentence($0.uri), WorkerPath.shellWord($0.uri))
            }
            console.print(lines: lines.map(DisplayText.escaped))
        }
        try finish(isKnown ? .done : .needsUser)
    }

    private static func notLoggedIn(_ user: String?, at server: String) -> String {
        user.map { tr("No password of “{1}” at {2} is saved.", $0, server) }
            ?? tr("No password for {1} is saved.", server)
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
