internal import FoundationEssentials
internal import Glibc
package import Remotes
internal import Support
internal import SyncCore

/// A login in a browser (Nextcloud's login flow, version 2): the user logs in on a page of the server, and the server
/// gives this computer its own password, which can be revoked there.
package struct WebLogin: Sendable {
    /// The page on which the user logs in, on the server that was asked. Opening it gives this computer a login, but
    /// gives no one else access.
    package let page: String
    private let client: DAVClient
    private let place: RelativePath
    private let token: String

    /// How long a server waits for the user, which no client decides.
    package static let lifetime = Duration.seconds(1_200)

    /// Starts such a login on a server; nil if the server does not support it.
    ///
    /// - Parameter client: A client of the synced collection. It needs no credentials; the caller must end it.
    package static func begin(_ client: DAVClient) async throws(DAVFailure) -> WebLogin? {
        let server = client.at([])
        let place = RelativePath(ServerPages.base(of: client.location) + ServerPages.login)
        do throws(DAVFailure) {
            return WebLogin(try await server.post([], to: place, as: Self.name), server)
        } catch {
            // Other servers do not know this request; a server that does not respond at all may still support it.
            guard error.status != nil, !error.isThrottled else { throw error }
            return nil
        }
    }

    /// Waits for the user by asking the server regularly.
    ///
    /// - Parameters:
    ///   - pause: The time between two requests.
    ///   - isWanted: Whether a caller still waits for the login.
    /// - Returns: The login; nil if no one logged in within ``lifetime``, or no caller waits any more.
    package func wait(
        asking pause: Duration = Patience.Server.login, while isWanted: @Sendable () -> Bool
    ) async throws(DAVFailure) -> RemoteLogin? {
        let end = ContinuousClock.now + Self.lifetime
        while ContinuousClock.now < end, isWanted() {
            do throws(DAVFailure) {
                let answer = try await client.post([("token", token)], to: place, as: Self.name)
                guard let granted = GrantedLogin.read(answer) else { throw DAVFailure(.malformed) }
                return granted
            } catch {
                guard error.isPassing else { throw error }
            }
            do { try await Task.sleep(for: pause) } catch { throw DAVFailure(.cancelled) }
        }
        return nil
    }

    /// Parses the response to the start request; nil if it is invalid.
    ///
    /// - Parameter server: The root of the server that answered.
    init?(_ answer: [UInt8], _ server: DAVClient) {
        guard let begun = try? JSONDecoder().decode(BegunLogin.self, from: Data(answer)),
            let page = Self.page(begun.login, on: server.location),
            let place = server.location.path(
                ofReference: ServerPages.upgraded(begun.poll.endpoint, for: server.location))
        else { return nil }
        (self.page, self.place) = (page, place)
        client = server
        token = begun.poll.token
    }

    /// The address of a page of the server itself; nil for one elsewhere, where someone else would ask for the
    /// password.
    private static func page(_ address: String, on location: ServerLocation) -> String? {
        guard let address = ServerPages.pageAddress(address, for: location), address.hasPrefix(location.origin + "/")
        else {
            return nil
        }
        return address
    }

    /// The name of this computer's password in the server's list.
    private static var name: String {
        guard let host = ComputerName.host, !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "Roundel"
        }
        return "Roundel on \(host)"
    }
}

/// The start response of a server that supports logins in a browser.
private struct BegunLogin: Decodable {
    struct Poll: Decodable {
        var token: String
        var endpoint: String
    }

    var poll: Poll
    var login: String
}

extension DAVFailure {
    fileprivate var isThrottled: Bool {
        if case .throttled = reason { true } else { false }
    }

    /// Whether the same request may succeed later: the user has not logged in yet, or the server is briefly
    /// unavailable.
    fileprivate var isPassing: Bool {
        switch reason {
        case .notFound, .unreachable, .silent, .throttled: true
        case .refused: status.map { $0 >= 500 } ?? false
        case .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginRefused, .loginUnreadable, .denied,
            .notAllowed, .conflict,
            .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .malformed:
            false
        }
    }
}
