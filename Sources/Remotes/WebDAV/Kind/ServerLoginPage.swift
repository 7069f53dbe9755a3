internal import Glibc
internal import Remotes

/// A login in a browser at a server, and the client that asks about it.
final class ServerLoginPage: LoginPage {
    private let place: ServerPlace
    private let client: DAVClient
    private let login: WebLogin

    private init(_ place: ServerPlace, _ client: DAVClient, _ login: WebLogin) {
        (self.place, self.client, self.login) = (place, client, login)
    }

    /// Nil if the server has no such page.
    static func begin(at place: ServerPlace) async throws(RemoteRefusal) -> ServerLoginPage? {
        let client = DAVClient(
            place.location, credentials: nil, routes: place.routes,
            certificates: place.logins.given(for: place.account.server)
        ) { Int64(time(nil)) }
        do throws(DAVFailure) {
            if let login = try await WebLogin.begin(client) { return ServerLoginPage(place, client, login) }
        } catch {
            await client.shutDown()
            throw place.refusal(error)
        }
        await client.shutDown()
        return nil
    }

    deinit {
        // A client must be shut down, which takes a while.
        Task { [client] in await client.shutDown() }
    }

    var address: String { login.page }

    func wait(while isWanted: @Sendable () -> Bool) async throws(RemoteRefusal) -> RemoteLogin? {
        do throws(DAVFailure) {
            return try await login.wait(while: isWanted)
        } catch {
            throw place.refusal(error)
        }
    }
}
