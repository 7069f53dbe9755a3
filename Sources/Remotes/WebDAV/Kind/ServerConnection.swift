internal import Glibc
internal import Remotes
internal import SyncCore
internal import SyncEngine

/// A folder's connection to its server: the client, and the login that it requires. It ends with the last reference.
final class ServerConnection: Sendable {
    private let client: DAVClient
    /// What the server can do, as far as is known.
    private let traits: KnownTraits
    private let login: ServerLogin
    private let place: ServerPlace

    /// - Parameters:
    ///   - traits: What the server was found to be capable of.
    ///   - pace: The speed limit for contents of files.
    init(
        _ place: ServerPlace, traits: ServerTraits = ServerTraits(), pace: TransferPace = TransferPace(),
        limits: DAVLimits = DAVLimits()
    ) {
        self.place = place
        self.traits = KnownTraits(traits)
        login = ServerLogin(at: place.account.server) { () async throws(LoginUnreadable) in
            try await place.logins.login(for: place.account)
        }
        client = DAVClient(
            place.location, login: login, limits: limits, pace: pace, routes: place.routes,
            certificates: place.logins.given(for: place.account.server), kept: .shared
        ) { Int64(time(nil)) }
    }

    deinit { client.letGo() }

    /// The server as the remote of a folder.
    ///
    /// - Parameter transfers: Where large transfers are noted.
    func remote(owner: EntryName, transfers: TransferLedger?) -> any Remote {
        WebDAVRemote(client, traits: traits, owner: owner, transfers: transfers)
    }

    /// Fails unless a folder can be synced with the place.
    func tryOut() async throws(DAVFailure) -> RemoteFindings {
        try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { items in
            if items.contains(where: { $0.isCollection != true }) { throw DAVFailure(.notFound) }
        }
        return try await FoundServer.find(client, in: InterruptedProbes.newName()).findings
    }

    /// Makes the collection, and those above it, where they are missing.
    func makeMissing() async throws(DAVFailure) { try await ServerDirectories(client: client).make() }

    /// The directories in a collection.
    func directories(in path: RelativePath, most: Int) async throws(DAVFailure) -> FoundDirectories {
        try await ServerDirectories(client: client).list(path, most: most)
    }

    /// How many more bytes may be written; nil if the server does not tell.
    func available() async throws(DAVFailure) -> Int64? { try await ServerDirectories(client: client).available() }

    /// Fails if the saved login cannot be used.
    func tryLogin() async throws(DAVFailure) {
        do throws(DAVFailure) {
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
        } catch {
            // Whoever is told that something is missing or forbidden is logged in.
            guard [.denied, .notFound, .notAllowed, .conflict].contains(error.reason) else { throw error }
        }
    }

    /// Lets the server take back the login, a password that it gave to this computer; whether it did.
    func revokeLogin() async -> Bool { (try? await AppPassword.revoke(client)) ?? false }

    private func failure(_ error: DAVFailure, at path: RelativePath) -> EffectFailure {
        ServerTrouble(client.location).failure(error, at: path, whereNothingWas: false)
    }
}

extension ServerConnection: RemoteServer {
    func retry() async {
        client.resume()
        await login.retry()
    }

    func review(unless known: String?) async throws(RemoteRefusal) -> RemoteFindings? {
        do throws(DAVFailure) {
            return try await FoundServer.ask(client, unless: known, in: InterruptedProbes.newName())?.findings
        } catch {
            throw place.refusal(error)
        }
    }

    func adopt(_ findings: RemoteFindings) { traits.replace(with: ServerTraits(names: findings.traits ?? [])) }

    /// Only servers whose directory tags show where something changed are known to.
    var mayReportChanges: Bool { traits.current.directoryTags }

    func listen(_ onChange: @escaping @Sendable () -> Void) async -> Bool {
        do throws(DAVFailure) {
            guard let channel = try await ChangeChannel.find(for: client) else { return true }
            // Changes before the channel opened were not reported.
            try await channel.listen(opened: onChange, changed: onChange)
            return false
        } catch {
            switch error.reason {
            case .unreachable, .silent, .cancelled, .throttled: return false
            case .notFound, .untrusted, .movedElsewhere, .loginNeeded, .loginRefused, .loginUnreadable, .denied,
                .notAllowed, .conflict, .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .malformed, .refused:
                return true
            }
        }
    }

    func endLogin(of user: String?) async { await login.end(of: user) }
}

extension ServerConnection: ItemPages {
    var showsItems: Bool { traits.current.hasItemPages }
    var givesShareLinks: Bool { traits.current.givesShareLinks }

    func address(of item: RelativePath, isDirectory: Bool) -> String {
        client.location.address(of: item, isDirectory: isDirectory)
    }

    func page(of item: RelativePath, isDirectory: Bool) async throws(EffectFailure) -> String? {
        do throws(DAVFailure) {
            return try await ItemPage.address(of: item, isDirectory: isDirectory, client)
        } catch {
            throw failure(error, at: item)
        }
    }

    func shareLink(to item: RelativePath, until end: String?) async throws(ShareLinkFailure) -> String {
        guard let links = ShareLinks(client) else { throw .refused(nil) }
        do throws(ShareLinks.Failure) {
            return try await links.link(to: item, until: end)
        } catch {
            switch error {
            case .request(let error): throw .failed(failure(error, at: item))
            case .refused(let reason): throw .refused(reason)
            case .wrongLink(let isTakenBack): throw .wrongLink(isTakenBack: isTakenBack)
            }
        }
    }
}

extension ServerConnection: ItemSharing {
    var givesShares: Bool { traits.current.givesShares || traits.current.givesShareLinks }

    func rules(of item: RelativePath, isDirectory: Bool) async throws(SharingFailure) -> ShareRules {
        try await ask(item) { shares throws(ItemShares.Failure) in try await shares.rules(isDirectory: isDirectory) }
    }

    func shares(of item: RelativePath, isDirectory: Bool) async throws(SharingFailure) -> [ItemShare] {
        try await ask(item) { shares throws(ItemShares.Failure) in
            try await shares.shares(of: item, isDirectory: isDirectory)
        }
    }

    func recipients(
        _ text: String, for item: RelativePath, isDirectory: Bool
    ) async throws(SharingFailure) -> [ShareRecipient] {
        try await ask(item) { shares throws(ItemShares.Failure) in
            try await shares.recipients(text, isDirectory: isDirectory)
        }
    }

    func share(
        _ item: RelativePath, isDirectory: Bool, _ wish: ShareWish
    ) async throws(SharingFailure) -> ItemShare {
        try await ask(item) { shares throws(ItemShares.Failure) in
            try await shares.share(item, isDirectory: isDirectory, wish)
        }
    }

    func change(
        _ share: String, of item: RelativePath, isDirectory: Bool, _ change: ShareChange
    ) async throws(SharingFailure) -> ItemShare {
        try await ask(item) { shares throws(ItemShares.Failure) in
            try await shares.change(share, of: item, isDirectory: isDirectory, change)
        }
    }

    func end(_ share: String, of item: RelativePath, isDirectory: Bool) async throws(SharingFailure) {
        try await ask(item) { shares throws(ItemShares.Failure) in
            try await shares.end(share, of: item, isDirectory: isDirectory)
        }
    }

    private func ask<Answer>(
        _ item: RelativePath, _ question: (ItemShares) async throws(ItemShares.Failure) -> Answer
    ) async throws(SharingFailure) -> Answer {
        guard let shares = ItemShares(client) else { throw .refused(nil) }
        do throws(ItemShares.Failure) {
            return try await question(shares)
        } catch {
            switch error {
            case .request(let error): throw .failed(failure(error, at: item))
            case .refused(let reason): throw .refused(reason)
            case .sharedAlready(let name): throw .sharedAlready(name)
            case .noSuchShare: throw .noSuchShare
            case .wrongShare(let isTakenBack): throw .wrongShare(isTakenBack: isTakenBack)
            }
        }
    }
}

extension ServerConnection: ItemLocking {
    var locksFiles: Bool { traits.current.locksFiles }

    func setLock(_ isLocked: Bool, on item: RelativePath) async throws(LockFailure) {
        do throws(FileLock.Failure) {
            try await FileLock.set(isLocked, item, client)
        } catch {
            switch error {
            case .request(let error): throw .failed(failure(error, at: item))
            case .refused: throw .refused
            }
        }
    }
}

extension ServerConnection: ItemVersions {
    func versions(of item: RelativePath) async throws(VersionFailure) -> [PastVersion] {
        try await ask(item) { versions throws(FileVersions.Failure) in try await versions.versions(of: item) }
    }

    func author(of item: RelativePath, modified: Int64, size: Int64) async throws(VersionFailure) -> ItemAuthor? {
        guard let versions = FileVersions(client) else { throw .keepsNone }
        let found = try await ask(item) { versions throws(FileVersions.Failure) in
            try await versions.author(of: item, modified: modified, size: size)
        }
        guard let account = found else { return nil }
        if account == versions.account { return ItemAuthor(name: account, isOwn: true) }
        // Versions tell accounts; how people call them is found as when something is shared with them.
        let people = try? await ItemShares(client)?.recipients(account, isDirectory: false)
        let name = people?.first { $0.kind == .user && $0.id == account }?.name
        return ItemAuthor(name: name ?? account, isOwn: false)
    }

    func open(_ version: String, of item: RelativePath) async throws(VersionFailure) -> any ContentSource {
        try await ask(item) { versions throws(FileVersions.Failure) in try await versions.open(version, of: item) }
    }

    private func ask<Answer>(
        _ item: RelativePath, _ question: (FileVersions) async throws(FileVersions.Failure) -> Answer
    ) async throws(VersionFailure) -> Answer {
        guard let versions = FileVersions(client) else { throw .keepsNone }
        do throws(FileVersions.Failure) {
            return try await question(versions)
        } catch {
            switch error {
            case .request(let error): throw .failed(failure(error, at: item))
            case .keepsNone: throw .keepsNone
            case .noSuchVersion: throw .noSuchVersion
            }
        }
    }
}

extension FoundServer {
    /// The form that is stored.
    fileprivate var findings: RemoteFindings { RemoteFindings(traits: traits.names, identity: identity) }
}
