internal import DBus
internal import Remotes
internal import RoundelBus
internal import Secrets
internal import Support
internal import SyncEngine
internal import Synchronization

/// The browser logins in progress. The credentials from a server go into the secret service, and to no other program.
/// Lives on the loop.
final class BrowserLogins {
    private let blocking: BlockingWork
    private let saved: SavedLogins
    private let bus: Connection
    private var begun: [String: BrowserLogin] = [:]

    /// The most logins at a time; each waits for the user.
    private static let most = 8

    init(bus: Connection, blocking: BlockingWork, saved: SavedLogins) {
        (self.bus, self.blocking, self.saved) = (bus, blocking, saved)
    }

    /// Carries out BeginLogin.
    func begin(at place: any LoginPlace, _ call: MethodCall) throws {
        guard begun.count < Self.most else {
            throw WorkerError(.limitExceeded, tr("Too many logins wait for somebody. End one of them first."))
        }
        let id = RandomName.identifier()
        let login = BrowserLogin(place, of: call.sender)
        begun[id] = login
        // The login ends if the caller leaves.
        login.caller = try bus.watchName(call.sender) { [weak self] owner in
            if owner == nil { self?.end(id) }
        }
        let isBegun = blocking.ask { () -> Result<(any LoginPage)?, RemoteRefusal> in
            do throws(RemoteRefusal) { return .success(try await place.beginLogin()) } catch { return .failure(error) }
        } answer: { [weak self] result in
            switch result {
            case .success(.some(let page)):
                login.page = page
                call.reply { writer in
                    try writer.append(id)
                    try writer.append(page.address)
                    try writer.appendNoExtras()
                }
            case .success(.none):
                self?.end(id)
                call.fail(WorkerError.noBrowserLogin(place).busError)
            case .failure(let refusal):
                self?.end(id)
                call.fail(WorkerError(refusal).busError)
            }
        }
        if !isBegun {
            end(id)
            throw WorkerError.tooMuchWaits
        }
    }

    /// Carries out AwaitLogin.
    func wait(for id: String, _ call: MethodCall) throws {
        guard let login = begun[id], login.owner == call.sender, !login.isAwaited, let page = login.page else {
            throw WorkerError(.failed, tr("This login was not begun by you, or has ended. Begin it again."))
        }
        login.isAwaited = true
        let (account, isWanted) = (login.place.account, login.isWanted)
        let isBegun = blocking.ask { [saved] in
            await Self.outcome(of: page, at: account.server, saved) { isWanted.isSet }
        } answer: { [weak self] outcome in
            self?.end(id)
            switch outcome {
            case .success(let user):
                call.reply { writer in
                    try writer.append(user)
                    try writer.appendNoExtras()
                }
            case .failure(.server(let refusal)): call.fail(WorkerError(refusal).busError)
            case .failure(.keyring(let error)): call.fail(WorkerError(.failed, error.sentence).busError)
            case .failure(.nobody): call.fail(WorkerError.nobodyLoggedIn(login.place).busError)
            }
        }
        if !isBegun {
            login.isAwaited = false
            throw WorkerError.tooMuchWaits
        }
    }

    private enum Failure: Error {
        case server(RemoteRefusal)
        case keyring(SecretStoreError)
        /// The user did not log in in time, or gave up.
        case nobody
    }

    private static func outcome(
        of page: any LoginPage, at server: String, _ saved: SavedLogins, while isWanted: @Sendable () -> Bool
    ) async -> Result<String, Failure> {
        let granted: RemoteLogin?
        do throws(RemoteRefusal) {
            granted = try await page.wait(while: isWanted)
        } catch {
            return .failure(.server(error))
        }
        guard let granted else { return .failure(.nobody) }
        do throws(SecretStoreError) {
            guard let password = try? SecretBytes(copying: granted.password.utf8) else { throw .noMemory }
            let login = StoredLogin(user: granted.user, password: password, isFromServer: true)
            try await saved.save(login, for: server)
            return .success(granted.user)
        } catch {
            return .failure(.keyring(error))
        }
    }

    private func end(_ id: String) {
        guard let login = begun.removeValue(forKey: id) else { return }
        login.isWanted.clear()
        login.caller = nil
    }
}

/// A login in a browser.
private final class BrowserLogin {
    let place: any LoginPlace
    /// The caller that started it, and the only one that may wait for it.
    let owner: String
    let isWanted = Wanted()
    var page: (any LoginPage)?
    var isAwaited = false
    var caller: Registration?

    init(_ place: any LoginPlace, of owner: String) { (self.place, self.owner) = (place, owner) }
}

/// Whether a caller still waits for a login; read by the task that polls the server.
private final class Wanted: Sendable {
    private let flag = Mutex(true)

    var isSet: Bool { flag.withLock { $0 } }

    func clear() { flag.withLock { $0 = false } }
}

extension WorkerError {
    fileprivate static func noBrowserLogin(_ place: any LoginPlace) -> WorkerError {
        WorkerError(
            .unsupported,
            tr("The server {1} has no page to log in on for programs; give it a password.", place.account.server))
    }

    fileprivate static func nobodyLoggedIn(_ place: any LoginPlace) -> WorkerError {
        WorkerError(
            .failed, tr("Nobody logged in at {1} in time. Begin it again.", place.account.server))
    }
}
