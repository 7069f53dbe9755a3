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
            var found = try await remotes.find(address)
            if isShown { Console.ask(DisplayText.escaped(found.sentence) + "\n") }
            if found.isProvisional {
                let remote = RemoteText(found.remote)
                guard let account = remote.account, LoginDialog.isPossible else {
                    throw CommandFailure(Self.loginNeeded(at: found))
                }
                _ = try await LoginDialog(bus: bus).run(for: LoginRemote(address: remote.text, account: account))
                found = try await remotes.find(address)
                if found.isProvisional { throw CommandFailure(Self.loginNeeded(at: found)) }
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
        } catch let error as DBusError where error.roundelCode != .loginNeeded {
            return nil
        }
    }

    /// Does something. If the server requires a login, asks the user for it at a terminal and does it again.
    func withLogin<Result: Sendable>(
        at remote: RemoteText, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as DBusError {
            guard error.roundelCode == .loginNeeded, let account = remote.account, LoginDialog.isPossible else {
                throw error
            }
            _ = try await LoginDialog(bus: bus).run(for: LoginRemote(address: remote.text, account: account))
            return try await body()
        }
    }

    private static func loginNeeded(at found: SyncRemote) -> String {
        tr(
            "The server {1} wants you to log in. Run: roundel login {2}", found.server ?? found.name,
            WorkerPath.shellWord(found.remote))
    }
}
