internal import FoundationEssentials
internal import Glibc
internal import SyncCore

/// A login in a browser (Nextcloud's login flow, version 2): the person logs in on a page of the server, and the server
/// gives this computer a password of its own, which can be taken back there.
package struct WebLogin: Sendable {
    /// The page on which the person logs in, on the server that was asked. Whoever opens it gives this computer a login;
    /// nobody gets one by it.
    package let page: String
    private let client: DAVClient
    private let place: RelativePath
    private let token: String

    /// How long a server waits for the person.
    package static let lifetime = Duration.seconds(1_200)

    /// Asks a server for such a login; nil if it has none.
    ///
    /// - Parameter client: Of the collection that is synced. It needs no credentials, and is ended by whoever made it.
    package static func begin(_ client: DAVClient) async throws(DAVFailure) -> WebLogin? {
        let server = client.at([])
        let place = RelativePath(ServerPages.base(of: client.location) + ServerPages.login)
        do throws(DAVFailure) {
            return WebLogin(try await server.post([], to: place, as: Self.name), server)
        } catch {
            // Other servers know nothing of it; one that says nothing at all is no other server.
            guard error.status != nil, !error.isThrottled else { throw error }
            return nil
        }
    }

    /// Waits for the person, with a question to the server now and then.
    ///
    /// - Parameters:
    ///   - pause: Between two questions.
    ///   - isWanted: Whether somebody still waits for it.
    /// - Returns: The login; nil if nobody logged in within ``lifetime``, or nobody waits any more.
    package func wait(
        asking pause: Duration = .seconds(2), while isWanted: @Sendable () -> Bool
    ) async throws(DAVFailure) -> GrantedLogin? {
        let end = ContinuousClock.now + Self.lifetime
        while ContinuousClock.now < end, isWanted() {
            do throws(DAVFailure) {
                let answer = try await client.post([("token", token)], to: place, as: Self.name)
                guard let granted = GrantedLogin(answer) else { throw DAVFailure(.malformed) }
                return granted
            } catch {
                guard error.isPassing else { throw error }
            }
            do { try await Task.sleep(for: pause) } catch { throw DAVFailure(.cancelled) }
        }
        return nil
    }

    /// Reads the answer to the beginning; nil if it is none.
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

    /// A page of the server itself; nil for one elsewhere, where somebody else would ask for the password.
    private static func page(_ address: String, on location: ServerLocation) -> String? {
        guard let address = ServerPages.pageAddress(address, for: location), address.hasPrefix(location.origin + "/")
        else {
            return nil
        }
        return address
    }

    /// What the person finds this computer's password under, at the server.
    private static var name: String {
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, text.count - 1) == 0 else { return "Roundel" }
        let host = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard !host.isEmpty, host.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "Roundel" }
        return "Roundel on \(String(decoding: host, as: UTF8.self))"
    }
}

/// What a server answers that takes logins in a browser.
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

    /// Whether the same question may have an answer later: the person has not logged in yet, or the server is not there
    /// for a moment.
    fileprivate var isPassing: Bool {
        switch reason {
        case .notFound, .unreachable, .silent, .throttled: true
        case .refused: status.map { $0 >= 500 } ?? false
        case .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable, .denied, .notAllowed, .conflict,
            .conditionFailed, .notEmpty, .locked, .noSpace, .malformed:
            false
        }
    }
}
