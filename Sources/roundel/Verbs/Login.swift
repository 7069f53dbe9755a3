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

    @OptionGroup var certificates: CertificateOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let argument = try LoginArgument.parse(remote)
        let bus = try await Bus.open()
        let folders = AccountFolders(bus: bus)
        let remote = try await argument.remote(of: folders)
        let account = remote.account
        try await certificates.set(at: remote.address, bus)
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
                Console.complain(error)
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
            status is 1 if none is saved. Files of on-demand folders that are on the remote only are removed from this \
            computer, after asking you, and come back when you log in again. Nothing is deleted on the remote.
            """))

    @Argument(help: .pathOrRemote, completion: .file())
    var remote: String

    @Flag(
        help: ArgumentHelp(
            tr("Remove from this computer also the files that are here and the same on the remote, until you log in.")))
    var removeLocal = false

    @Flag(help: ArgumentHelp(tr("Do not ask before files are removed from this computer.")))
    var yes = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let argument = try LoginArgument.parse(remote)
        let bus = try await Bus.open()
        let folders = AccountFolders(bus: bus)
        let remote = try await argument.remote(of: folders)
        let account = remote.account
        let (used, isKnown) = await folders.known(for: account)
        try await confirm(used, folders)
        let ended = try await SavedAccounts(bus: bus).end(at: remote)
        let users = ended.map(\.user)
        guard !users.isEmpty else {
            throw CommandFailure(Self.notLoggedIn(account.user, at: account.server))
        }
        let (cleared, isCleared) = await clear(used, folders)
        let console = Console()
        if output.json {
            console.print(
                .object([
                    .init("server", .string(account.server)), .init("users", .strings(users)),
                    .init("revoked", .strings(ended.filter(\.isRevoked).map(\.user))),
                    .init("folders", .array(used.map { .object(JSON.item($0.uri)) })),
                    .init("cleared", .array(cleared.map { .object(JSON.item($0.uri) + $1.members) })),
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
            lines += cleared.flatMap { Self.sentences($1, of: WorkerPath.sentence($0.uri)) }
            console.print(lines: lines.map(DisplayText.escaped))
        }
        try finish(isKnown && isCleared ? .done : .needsUser)
    }

    /// The folders from which something is removed.
    private func affected(_ used: [SyncedFolder]) -> [SyncedFolder] { used.filter { removeLocal || $0.isOnDemand } }

    /// Asks the user before files are removed from this computer.
    private func confirm(_ used: [SyncedFolder], _ folders: AccountFolders) async throws {
        let affected = affected(used)
        guard !yes, !affected.isEmpty else { return }
        let (files, bytes) = try await folders.placeholders(in: affected)
        guard removeLocal || files > 0 else { return }
        let names = TextList.of(affected.map { WorkerPath.sentence($0.uri) })
        let sentence =
            removeLocal
            ? tr("Files in {1} that are the same on the remote are removed from this computer.", names)
            : tr(
                files, one: "1 file ({2}) in {3} is on the remote only, and is removed from this computer.",
                other: "{1} files ({2}) in {3} are on the remote only, and are removed from this computer.",
                Quantity.bytes(bytes), names)
        guard Consent.isPossible else { throw CommandFailure(tr("{1} To agree: roundel logout --yes", sentence)) }
        // Translators: y and N stay, for the answer is read as y or yes in every language.
        guard Consent.isGiven(tr("{1} They come back when you log in again. Log out? [y/N]", sentence)) else {
            throw CommandFailure(tr("You are still logged in."))
        }
    }

    /// Removes files from this computer. Reports to the user what could not be removed.
    private func clear(
        _ used: [SyncedFolder], _ folders: AccountFolders
    ) async -> (cleared: [(SyncedFolder, SyncClearedContents)], isCleared: Bool) {
        var cleared: [(SyncedFolder, SyncClearedContents)] = []
        var isCleared = true
        for folder in affected(used) {
            do {
                cleared.append((folder, try await folders.clear(folder, removesLocal: removeLocal)))
            } catch {
                Console.complain(error)
                isCleared = false
            }
        }
        return (cleared, isCleared)
    }

    private static func sentences(_ cleared: SyncClearedContents, of folder: String) -> [String] {
        var lines: [String] = []
        if cleared.files > 0 {
            lines.append(
                tr(
                    cleared.files, one: "1 file in {2} was removed from this computer; it is still on the remote.",
                    other: "{1} files in {2} were removed from this computer; they are still on the remote.", folder))
        }
        if cleared.left > 0 {
            lines.append(
                tr(
                    cleared.left, one: "1 file in {2} stays on this computer.",
                    other: "{1} files in {2} stay on this computer.", folder))
            lines += cleared.leftItems.map { "  " + WorkerPath.sentence($0) }
            if !cleared.leftItems.isEmpty, cleared.left > UInt64(cleared.leftItems.count) { lines.append("  …") }
        }
        return lines
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
            Console.complain(error)
            return ([], false)
        }
    }
}
