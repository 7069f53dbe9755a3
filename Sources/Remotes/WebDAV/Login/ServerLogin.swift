internal import Remotes
internal import Support

/// The credentials of one account at a server, read when a request needs them, and cached briefly: if the user deletes
/// or saves credentials, that soon takes effect, even if the server still accepts the old ones.
actor ServerLogin: CredentialSource {
    /// What was read. Two logins with the same password are two, if they were saved at different times.
    private struct Saved: Equatable {
        var user: String
        var credentials: Credentials
        /// In seconds since 1970.
        var time: UInt64
    }

    private enum Reading {
        case found(Saved)
        case none
        case unreadable
    }

    /// Reads the saved login; nil if there is none.
    typealias Reader = @Sendable () async throws(LoginUnreadable) -> RemoteLogin?

    private let server: String
    private let saved: Reader
    private let lifetime: Duration
    private var reading: Task<Reading, Never>?
    private var began = ContinuousClock.now
    /// The last logged error: the keyring is read again and again.
    private var reported: LoginUnreadable?
    /// The login with which nothing is sent any more.
    private var ended: Saved?
    private var refusal: (of: Credentials, until: ContinuousClock.Instant)?
    /// What waits for the end of the login.
    private var waiting: [AsyncStream<Never>.Continuation] = []

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
        case .unreadable: return nil
        case .none:
            ended = nil
            return nil
        case .found(let saved):
            // Others may have been saved meanwhile: the next request reads them.
            if saved == ended {
                reading = nil
                throw DAVFailure(.loginNeeded)
            }
            if let refusal, refusal.of == saved.credentials, ContinuousClock.now < refusal.until {
                reading = nil
                throw DAVFailure(.loginRefused)
            }
            return saved.credentials
        }
    }

    func refused(_ credentials: Credentials?) async -> DAVFailure {
        var isUnreadable = false
        if credentials == nil, case .unreadable = await reading?.value { isUnreadable = true }
        reading = nil
        if let credentials { refusal = (credentials, ContinuousClock.now + Patience.Server.refusedCredentials) }
        return DAVFailure(
            isUnreadable ? .loginUnreadable : credentials == nil ? .loginNeeded : .loginRefused, status: 401)
    }

    /// The user wants another attempt, whatever was refused before.
    func retry() {
        reading = nil
        refusal = nil
    }

    /// The user logs out: nothing is sent any more with the login that is saved now, as long as the keyring still has it.
    ///
    /// - Parameter user: The user who logs out; nil for any.
    func end(of user: String?) async {
        if case .found(let saved) = await read(), user == nil || saved.user == user {
            ended = saved
            for source in waiting { source.finish() }
        }
        reading = nil
    }

    func ends() async {
        let (never, source) = AsyncStream<Never>.makeStream()
        waiting.append(source)
        for await _ in never {}
        waiting.removeAll { $0 == source }
    }

    private func read() async -> Reading {
        if let reading, ContinuousClock.now - began < lifetime { return await reading.value }
        began = ContinuousClock.now
        let task = Task { [saved] in
            do throws(LoginUnreadable) {
                guard let login = try await saved() else { return Reading.none }
                let credentials = Credentials(user: login.user, password: login.password)
                return .found(Saved(user: login.user, credentials: credentials, time: login.saved))
            } catch {
                report(error)
                return .unreadable
            }
        }
        reading = task
        return await task.value
    }

    private func report(_ error: LoginUnreadable) {
        guard error != reported else { return }
        reported = error
        log(.info, "The login for \(server) cannot be read from the keyring: \(error.why)")
    }
}
