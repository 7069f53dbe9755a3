import DBus
import RoundelBus
import Secrets

/// The synced folders whose remotes need a login.
struct AccountFolders: Sendable {
    private let worker: SyncWorkerProxy

    init(bus: AsyncConnection) { worker = SyncWorkerProxy(bus: bus) }

    /// The remote that an argument of a command means. The worker is asked only where that is a path.
    /// - Throws: ``CommandFailure`` for a path without one.
    func remote(of argument: LoginArgument) async throws -> LoginRemote {
        switch argument {
        case .remote(let remote): remote
        case .item: try argument.remote(of: try await worker.listFolders())
        }
    }

    /// The folders that sync with an account. What keeps them from being known is said to the person, except that there
    /// is no worker: then nothing is synced that would need the account.
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

    /// Has a folder synced now that its remote can be reached; false if that could not be begun, which is said to the
    /// person.
    func sync(_ folder: SyncedFolder) async -> Bool {
        do {
            _ = try await worker.sync(folder.id, options: .init())
            return true
        } catch {
            complain(error)
            return false
        }
    }

    private func complain(_ error: any Error) {
        if let error = error as? DBusError { Console.complain(ErrorSentence.of(error)) }
    }
}

/// What the secret service has to do with the person.
enum SecretSentence {
    /// How long a person has for a prompt of the desktop, such as the one that unlocks the keyring.
    static let patience = Duration.seconds(300)

    /// Does something with the secret service; what fails becomes a sentence.
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
