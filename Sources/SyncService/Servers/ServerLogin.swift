internal import RoundelBus
internal import Secrets
internal import Support
internal import WebDAV

/// The credentials of one account at a server, read when a request needs them, and cached briefly: if the user deletes
/// or saves credentials, that soon takes effect, even if the server still accepts the old ones.
actor ServerLogin: CredentialSource {
    private enum Reading {
        case found(Credentials)
        case none
        case unreadable
    }

    /// Reads the saved login; nil if there is none.
    typealias Reader = @Sendable () async throws(SecretStoreError) -> StoredLogin?

    private let server: String
    private let saved: Reader
    private let lifetime: Duration
    private var reading: Task<Reading, Never>?
    private var began = ContinuousClock.now
    /// The last logged error: the keyring is read again and again.
    private var reported: SecretStoreError?
    private var refusal: (of: Credentials, until: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - server: The name for the log.
    ///   - lifetime: How long credentials are cached.
    init(at server: String, for lifetime: Duration = Patience.Server.credentials, _ saved: @escaping Reader) {
        self.server = server
        self.lifetime = lifetime
        self.saved = saved
    }

    func credentials() async throws(DAVFailure) -> Credentials? {
        switch await read() {
        case .none, .unreadable: return nil
        case .found(let credentials):
            if let refusal, refusal.of == credentials, ContinuousClock.now < refusal.until {
                // Others may have been saved meanwhile: the next request reads them.
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
        if let credentials { refusal = (credentials, ContinuousClock.now + Patience.Server.refusedCredentials) }
        return DAVFailure(isUnreadable ? .loginUnreadable : .loginNeeded, status: 401)
    }

    /// The user wants another attempt, whatever was refused before.
    func retry() {
        reading = nil
        refusal = nil
    }

    private func read() async -> Reading {
        if let reading, ContinuousClock.now - began < lifetime { return await reading.value }
        began = ContinuousClock.now
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
