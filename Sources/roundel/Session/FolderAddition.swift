import Client
import DBus
import RoundelBus
import Support

/// What has to be known and done before a folder is added: what is at an address, a login, and what will happen.
struct FolderAddition: Sendable {
    let bus: AsyncConnection
    /// Whether the person is told what was found.
    let isShown: Bool

    /// The remote that an argument means. The person is asked to log in first, where it cannot be told without.
    func remote(of argument: RemoteArgument) async throws -> RemoteText {
        switch argument {
        case .remote(let remote): return remote
        case .address(let address):
            let remotes = RemotesProxy(bus: bus)
            var found = try await Self.advising(at: address) { try await remotes.find(address) }
            if isShown { Console.ask(DisplayText.escaped(found.sentence) + "\n") }
            if found.isProvisional {
                let remote = RemoteText(found.remote)
                guard let account = remote.account, LoginDialog.isPossible else { throw Self.loginNeeded(at: found) }
                _ = try await LoginDialog(bus: bus).run(for: LoginRemote(address: remote.text, account: account))
                found = try await remotes.find(address)
                if found.isProvisional { throw Self.loginNeeded(at: found) }
            }
            return RemoteText(found.remote)
        }
    }

    /// What adding a folder would do.
    ///
    /// - Parameter seconds: How long to count.
    func preview(
        _ folder: ItemArgument, _ remote: RemoteText, _ options: FoldersProxy.AddOptions, seconds: UInt32 = 60
    ) async throws -> SyncPreview {
        try await withLogin(at: remote) {
            try await RemotesProxy(bus: bus).preview(
                uri: folder.text, remote: remote.text, options: options, seconds: seconds)
        }
    }

    /// The same; nil if it cannot be told, of which the reason is said when the folder is added.
    func previewIfPossible(
        _ folder: ItemArgument, _ remote: RemoteText, _ options: FoldersProxy.AddOptions
    ) async throws -> SyncPreview? {
        do {
            return try await preview(folder, remote, options, seconds: 5)
        } catch let error as AdvisedError where error.cause.roundelCode != .loginNeeded {
            return nil
        } catch let error as DBusError where error.roundelCode != .loginNeeded {
            return nil
        }
    }

    /// Does something. If the server requires a login, asks the user for it at a terminal and does it again.
    /// - Throws: `AdvisedError`, and the errors of a login.
    func withLogin<Result: Sendable>(
        at remote: RemoteText, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as DBusError {
            guard error.roundelCode == .loginNeeded, let account = remote.account, LoginDialog.isPossible else {
                throw AdvisedError(error, at: remote.text)
            }
            _ = try await LoginDialog(bus: bus).run(for: LoginRemote(address: remote.text, account: account))
            return try await Self.advising(at: remote.text, body)
        }
    }

    /// Does something; its errors name the commands that help with a remote.
    private static func advising<Result: Sendable>(
        at remote: String, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as DBusError {
            throw AdvisedError(error, at: remote)
        }
    }

    private static func loginNeeded(at found: SyncRemote) -> AdvisedError {
        let sentence = tr("The server {1} wants you to log in.", found.server ?? found.name)
        return AdvisedError(DBusError(RoundelError(.loginNeeded, sentence)), at: found.remote)
    }
}
