import DBus
import RoundelBus
import Secrets

/// The synced folders whose remotes need a login.
struct AccountFolders: Sendable {
    private let worker: SyncWorkerProxy

    init(bus: AsyncConnection) { worker = SyncWorkerProxy(bus: bus) }

    /// The remote that an argument of a command refers to. The worker is asked only if that is a path.
    /// - Throws: ``CommandFailure`` for a path without a remote.
    func remote(of argument: LoginArgument) async throws -> LoginRemote {
        switch argument {
        case .remote(let remote): remote
        case .item: try argument.remote(of: try await worker.listFolders())
        }
    }

    /// The folders that sync with an account. Reports to the user why they cannot be listed, unless there is no worker:
    /// then nothing that would need the account is synced.
    func using(_ account: RemoteAccount) async -> (folders: [SyncedFolder], isKnown: Bool) {
        do {
            let folders = try await worker.listFolders()
            return (folders.filter { (try? RemoteAccount(remote: $0.remote))?.serves(account) ?? false }, true)
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.standard) {
            return ([], true)
        } catch {
            complain(error)
            return ([], false)
        }
    }

    /// Starts to sync a folder now that its remote can be reached; false if that fails, which is reported to the user.
    func sync(_ folder: SyncedFolder) async -> Bool {
        do {
            _ = try await worker.sync(folder.id, options: .init())
            return true
        } catch {
            complain(error)
            return false
        }
    }

    /// Ends the use of the login that is saved for a remote; whether the server took the password back. Without a worker,
    /// nothing uses it.
    func endLogin(at address: String) async -> Bool { (try? await worker.endLogin(remote: address)) ?? false }

    private func complain(_ error: any Error) {
        if let error = error as? DBusError { Console.complain(ErrorSentence.of(error)) }
    }
}

/// Handles errors and prompts of the secret service.
enum SecretSentence {
    /// Runs a call to the secret service; a failure becomes a sentence.
    /// - Throws: ``CommandFailure``.
    static func throwing<Result>(
        _ body: () async throws(SecretStoreError) -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw CommandFailure(error.sentence)
        }
    }
}
