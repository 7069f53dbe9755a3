internal import DBus
internal import RoundelBus
internal import Secrets
internal import WebDAV

/// The saved logins of servers (CheckLogin, EndLogin).
extension Worker {
    /// Carries out CheckLogin.
    func checkLogin(at place: ServerPlace, _ call: MethodCall) throws {
        let connection = ServerConnection(place, from: logins)
        let isBegun = blocking.ask {
            await connection.tryLogin()
        } answer: { failure in
            guard let failure else { return call.reply { try $0.appendNoExtras() } }
            call.fail(ServerCheck.loginRefusal(failure, place).busError)
        }
        guard isBegun else { throw WorkerError.tooMuchWaits }
    }

    /// Carries out EndLogin.
    func endLogin(at place: ServerPlace, _ call: MethodCall) throws {
        let connection = ServerConnection(place, from: logins)
        let used = units.compactMap { unit -> ServerConnection? in
            guard case .server(let other) = unit.remoteAddress, other.account.serves(place.account) else { return nil }
            return unit.server
        }
        let account = place.account
        let isBegun = blocking.ask { [logins] () -> Bool in
            for other in used { await other.endLogin(of: account.user) }
            // Other passwords are not this computer's to take back: the user may use them elsewhere.
            guard let login = try? await logins.login(for: account), login.isFromServer else { return false }
            return await connection.revokeLogin()
        } answer: { isRevoked in
            call.reply { try $0.append(map: isRevoked ? ["revoked": .bool(true)] : [:]) }
        }
        guard isBegun else { throw WorkerError.tooMuchWaits }
    }
}
