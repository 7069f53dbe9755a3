internal import DBus
internal import Remotes
internal import RoundelBus
internal import Secrets

/// The saved logins of servers (CheckLogin, EndLogin).
struct AccountLogins {
    let book: FolderBook
    let blocking: BlockingWork
    let saved: SavedLogins

    /// Carries out CheckLogin.
    func check(at place: any LoginPlace, _ call: MethodCall) throws {
        let isBegun = blocking.ask { () -> RemoteRefusal? in
            do throws(RemoteRefusal) {
                try await place.tryLogin()
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
