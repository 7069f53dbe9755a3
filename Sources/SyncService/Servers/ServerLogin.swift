internal import RoundelBus
internal import Secrets
internal import Support
internal import WebDAV

/// The credentials of one account at a server, read when its server is first asked, and again when they were refused.
actor ServerLogin: CredentialSource {
    private enum Reading {
        case found(Credentials)
        case none
        case unreadable
    }

    /// Reads what is saved; nil if nothing is.
    typealias Reader = @Sendable () async throws(SecretStoreError) -> StoredLogin?

    private let server: String
    private let saved: Reader
    private var reading: Task<Reading, Never>?
    /// What was logged last: the keyring is asked again and again.
    private var reported: SecretStoreError?
    private var refusal: (of: Credentials, until: ContinuousClock.Instant)?

    /// How long credentials that were refused are not sent again: servers lock accounts out after some attempts.
    private static let pause = Duration.seconds(600)

    /// - Parameter server: For the log.
    init(at server: String, _ saved: @escaping Reader) {
        self.server = server
        self.saved = saved
    }

    func credentials() async throws(DAVFailure) -> Credentials? {
        switch await read() {
        case .none, .unreadable: return nil
        case .found(let credentials):
            if let refusal, refusal.of == credentials, ContinuousClock.now < refusal.until {
                // Others may have been saved meanwhile: the next request looks.
                reading = nil
                throw DAVFailure(.loginNeeded)
            }
            return credentials
        }
    }

    func refused(_ credentials: Credentials?) async -> DAVFailure {
        var isUnreadable = false
        if credentials == nil, case .unreadable = await reading?.value { isUnreadable = true }
        reading = nil
        if let credentials { refusal = (credentials, ContinuousClock.now + Self.pause) }
        return DAVFailure(isUnreadable ? .loginUnreadable : .loginNeeded, status: 401)
    }

    /// A person wants it to be tried, whatever was refused before.
    func retry() {
        reading = nil
        refusal = nil
    }

    private func read() async -> Reading {
        if let reading { return await reading.value }
        let task = Task { [saved] in
            do throws(SecretStoreError) {
                guard let login = try await saved() else { return Reading.none }
                return .found(
                    login.password.withBytes { password in
                        Credentials(user: login.user, password: String(decoding: password, as: UTF8.self))
                    })
            } catch {
                report(error)
                return .unreadable
            }
        }
        reading = task
        return await task.value
    }

    private func report(_ error: SecretStoreError) {
        guard error != reported else { return }
        reported = error
        log(.info, Words.loginUnreadable(server, because: error))
    }
}
