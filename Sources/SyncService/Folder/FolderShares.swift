internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The shares of a folder's items with others, which its server makes.
struct FolderShares {
    /// Whether items can be shared, as far as is known.
    var givesShares: Bool { sharing.givesShares }
    private let items: FolderItems
    private let sharing: any ItemSharing
    private let explainer: Explainer
    private let blocking: BlockingWork

    /// - Parameter sharing: That of the remote; the result is nil if this is nil.
    init?(_ items: FolderItems, of sharing: (any ItemSharing)?, explainer: Explainer, blocking: BlockingWork) {
        guard let sharing else { return nil }
        (self.items, self.sharing, self.explainer, self.blocking) = (items, sharing, explainer, blocking)
    }

    /// An item at the server.
    private struct Place: Sendable {
        var path: RelativePath
        var isDirectory: Bool
    }

    private func place(of item: ItemURI) throws(WorkerError) -> Place {
        guard let node = items.node(at: item), let place = items.remotePlace(of: node) else {
            throw .notOnRemote(item)
        }
        guard items.access(to: node)?.0.facts.contains(.share) ?? true else {
            throw WorkerError(
                .providerFailed,
                tr("“{1}” belongs to somebody who does not let you share it.", ShownPath.short(item.filePath)))
        }
        return Place(path: place.path, isDirectory: place.isDirectory)
    }

    /// What the server allows and demands of shares of an item.
    func rules(of item: ItemURI, answer: @escaping (Result<SyncShareRules, WorkerError>) -> Void) {
        ask(item, answer) { sharing, place throws(SharingFailure) in
            let rules = try await sharing.rules(of: place.path, isDirectory: place.isDirectory)
            return SyncShareRules(rules, isDirectory: place.isDirectory)
        }
    }

    /// The user's shares of an item.
    func shares(of item: ItemURI, answer: @escaping (Result<[SyncShare], WorkerError>) -> Void) {
        ask(item, answer) { sharing, place throws(SharingFailure) in
            try await sharing.shares(of: place.path, isDirectory: place.isDirectory).map { SyncShare($0) }
        }
    }

    /// The people and groups whose name, account or address a text is part of.
    func recipients(
        _ text: String, for item: ItemURI, answer: @escaping (Result<[SyncShareRecipient], WorkerError>) -> Void
    ) {
        ask(item, answer) { sharing, place throws(SharingFailure) in
            try await sharing.recipients(text, for: place.path, isDirectory: place.isDirectory).map {
                SyncShareRecipient($0)
            }
        }
    }

    /// Shares an item, if the server's rules allow it as it is wished.
    func share(_ item: ItemURI, _ wish: ShareWish, answer: @escaping (Result<SyncShare, WorkerError>) -> Void) {
        let today = CalendarDay(local: WallClock.microseconds)
        ask(item, answer) { sharing, place throws(SharingFailure) in
            var wish = wish
            let rules = try await sharing.rules(of: place.path, isDirectory: place.isDirectory)
            if let today {
                do throws(ShareObstacle) {
                    wish = try rules.checked(wish, today: today)
                } catch {
                    throw .obstacle(error)
                }
            }
            return SyncShare(try await sharing.share(place.path, isDirectory: place.isDirectory, wish))
        }
    }

    /// Changes one of the user's shares of an item, if the server's rules allow it as it is wished.
    func change(
        _ share: String, of item: ItemURI, _ change: ShareChange,
        answer: @escaping (Result<SyncShare, WorkerError>) -> Void
    ) {
        let today = CalendarDay(local: WallClock.microseconds)
        ask(item, answer) { sharing, place throws(SharingFailure) in
            var change = change
            let shares = try await sharing.shares(of: place.path, isDirectory: place.isDirectory)
            guard let known = shares.first(where: { $0.id == share }) else { throw .noSuchShare }
            let rules = try await sharing.rules(of: place.path, isDirectory: place.isDirectory)
            if let today {
                do throws(ShareObstacle) {
                    change = try rules.checked(change, of: known, today: today)
                } catch {
                    throw .obstacle(error)
                }
            }
            return SyncShare(
                try await sharing.change(share, of: place.path, isDirectory: place.isDirectory, change))
        }
    }

    /// Ends one of the user's shares of an item.
    func end(_ share: String, of item: ItemURI, answer: @escaping (Result<Void, WorkerError>) -> Void) {
        ask(item, answer) { sharing, place throws(SharingFailure) in
            try await sharing.end(share, of: place.path, isDirectory: place.isDirectory)
        }
    }

    private func ask<Value: Sendable>(
        _ item: ItemURI, _ answer: @escaping (Result<Value, WorkerError>) -> Void,
        _ question: @escaping @Sendable (any ItemSharing, Place) async throws(SharingFailure) -> Value
    ) {
        let place: Place
        do throws(WorkerError) { place = try self.place(of: item) } catch { return answer(.failure(error)) }
        let isAsked = blocking.ask { [sharing] () -> Result<Value, SharingFailure> in
            do throws(SharingFailure) {
                return .success(try await question(sharing, place))
            } catch {
                return .failure(error)
            }
        } answer: { (result: Result<Value, SharingFailure>) in
            answer(result.mapError { ShareWords(item, explainer).error($0) })
        }
        if !isAsked { answer(.failure(.tooMuchWaits)) }
    }
}

extension SyncShareRules {
    fileprivate init(_ rules: ShareRules, isDirectory: Bool) {
        self.init()
        linkRights = rules.linkRights.map { WireWord(SyncShare.Rights($0)) }
        peopleRights = rules.peopleRights.map { WireWord(SyncShare.Rights($0)) }
        hasGroups = rules.hasGroups
        needsPassword = rules.needsPassword
        leastPassword = rules.leastPassword.map { UInt64(clamping: $0) }
        linkDays = rules.linkEnd.mostDays.map { UInt64(clamping: $0) }
        linkUsualDays = rules.linkEnd.usualDays.map { UInt64(clamping: $0) }
        peopleDays = rules.peopleEnd.mostDays.map { UInt64(clamping: $0) }
        peopleUsualDays = rules.peopleEnd.usualDays.map { UInt64(clamping: $0) }
        self.isDirectory = isDirectory
    }
}

extension SyncShare {
    fileprivate init(_ share: ItemShare) {
        self.init(
            id: share.id, kind: WireWord(share.kind.map { Kind($0) } ?? .other),
            rights: WireWord(share.rights.map { Rights($0) } ?? .other))
        with = share.recipient?.id
        name = share.recipient?.name
        until = share.end
        hasPassword = share.hasPassword
        address = share.address
        made = share.made.map { $0.multipliedClamped(by: 1_000_000) }
    }
}

extension SyncShareRecipient {
    fileprivate init(_ recipient: ShareRecipient) {
        self.init(
            kind: WireWord(SyncShare.Kind(recipient.kind)), with: recipient.id, name: recipient.name)
        detail = recipient.detail
    }
}

extension SyncShare.Kind {
    fileprivate init(_ kind: ShareKind) {
        self =
            switch kind {
            case .link: .link
            case .user: .user
            case .group: .group
            }
    }
}

extension SyncShare.Rights {
    fileprivate init(_ rights: ShareRights) {
        self =
            switch rights {
            case .view: .view
            case .edit: .edit
            case .upload: .upload
            }
    }
}
