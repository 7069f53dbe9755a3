internal import DBus
internal import Remotes
internal import RoundelBus
internal import Secrets
internal import Support

/// The saved logins of servers (SaveLogin, CheckLogin, EndLogin).
struct AccountLogins {
    let book: FolderBook
    let blocking: BlockingWork
    let saved: SavedLogins

    /// Carries out SaveLogin.
    /// - Parameter password: The end of a pipe from which the password is read.
    func save(_ password: OwnedFileDescriptor, at place: any LoginPlace, _ call: MethodCall) throws {
        guard let user = place.account.user else {
            throw WorkerError(.invalidRemote, tr("The address names no user. Use webdav+https://USER@HOST/PATH."))
        }
        let isBegun = blocking.run({
            Result {
                try SecretPipe.read(
                    password, longest: StoredLogin.longestPassword, within: Patience.Worker.password)
            }
        }) { read in
            switch read {
            case .success(let password): save(StoredLogin(user: user, password: password), at: place, call)
            case .failure(let error): call.fail(WorkerError(readingPassword: error).busError)
            }
        }
        guard isBegun else { throw WorkerError.tooMuchWaits }
    }

    private func save(_ login: StoredLogin, at place: any LoginPlace, _ call: MethodCall) {
        let isBegun = blocking.ask { [saved] in
            await Self.outcome(of: login, at: place, saved)
        } answer: { outcome in
            switch outcome {
            case .success(let untried):
                call.reply { try $0.append(map: untried.map { ["untried": .string(WorkerError($0).message)] } ?? [:]) }
            case .failure(let error): call.fail(error.busError)
            }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// Tries a login, then saves it. One that the server refuses replaces none that it may accept.
    /// - Returns: Why it could not be tried; nil if the server accepts it.
    private static func outcome(
        of login: StoredLogin, at place: any LoginPlace, _ saved: SavedLogins
    ) async -> Result<RemoteRefusal?, WorkerError> {
        guard login.isUsable else {
            return .failure(WorkerError(.invalidArguments, SecretStoreError.unusable.sentence))
        }
        CoreDumps.leaveOutMemory()
        var untried: RemoteRefusal?
        do throws(RemoteRefusal) {
            try await place.tryLogin(RemoteLogin(login))
        } catch {
            if error.reason == .loginNeeded {
                return .failure(
                    WorkerError(
                        .loginNeeded,
                        tr("The server {1} refuses this password, so it is not saved.", place.account.server)))
            }
            untried = error
        }
        do throws(SecretStoreError) {
            try await saved.save(login, for: place.account.server)
            return .success(untried)
        } catch {
            return .failure(WorkerError(.failed, error.sentence))
        }
    }

    /// Carries out CheckLogin.
    func check(at place: any LoginPlace, _ call: MethodCall) throws {
        let isBegun = blocking.ask { () -> RemoteRefusal? in
            do throws(RemoteRefusal) {
                try await place.tryLogin(nil)
                return nil
            } catch {
                return error
            }
        } answer: { refusal in
            guard let refusal else { return call.reply { try $0.appendNoExtras() } }
            call.fail(WorkerError(refusal).busError)
        }
        guard isBegun else { throw WorkerError.tooMuchWaits }
    }

    /// Carries out EndLogin.
    func end(at place: any LoginPlace, _ call: MethodCall) throws {
        let account = RemoteAccount(place.account)
        let used = book.folders.all.compactMap { unit -> (any RemoteServer)? in
            guard let other = unit.remote as? any LoginPlace, RemoteAccount(other.account).serves(account) else {
                return nil
            }
            return unit.server?.connection
        }
        let isBegun = blocking.ask { [saved] () -> Bool in
            for other in used { await other.endLogin(of: account.user) }
            // Other passwords are not this computer's to take back: the user may use them elsewhere.
            guard let login = try? await saved.login(for: account), login.isFromServer else { return false }
            return await place.revokeLogin()
        } answer: { isRevoked in
            call.reply { try $0.append(map: isRevoked ? ["revoked": .bool(true)] : [:]) }
        }
        guard isBegun else { throw WorkerError.tooMuchWaits }
    }
}
