package import Remotes
internal import Support
package import SyncCore

/// The shares of items with others, on a server with Nextcloud's interface for them (OCS Share API, OCS Sharee API).
package struct ItemShares: Sendable {
    /// Why something about shares was not done.
    package enum Failure: Error, Hashable, Sendable {
        case request(DAVFailure)
        case refused(String?)
        case sharedAlready(String)
        case noSuchShare
        case wrongShare(isTakenBack: Bool)
    }

    private let client: DAVClient
    private let server: DAVClient
    private let files: AccountFiles
    private let place: RelativePath
    private let recipientsPlace: RelativePath

    private static let json = [("format", "json")]
    /// The most recipients that a search gives.
    private static let mostRecipients = 20

    /// The shares of a collection's items; nil on a server with another layout.
    ///
    /// - Parameter client: A client of the collection; it must outlive this value.
    package init?(_ client: DAVClient) {
        guard let files = AccountFiles(of: client.location) else { return nil }
        self.files = files
        self.client = client
        server = client.at([])
        let base = ServerPages.base(of: client.location)
        place = RelativePath(base + ServerPages.shares)
        recipientsPlace = RelativePath(base + ServerPages.recipients)
    }

    /// What the server allows and demands.
    package func rules(isDirectory: Bool) async throws(Failure) -> ShareRules {
        do throws(DAVFailure) {
            return try await ServerCapabilities.read(client)?.sharing?.rules(isDirectory: isDirectory) ?? ShareRules()
        } catch {
            throw .request(error)
        }
    }

    /// The user's shares of an item, never of the whole collection, in the order of the server.
    package func shares(of item: RelativePath, isDirectory: Bool) async throws(Failure) -> [ItemShare] {
        let (told, number) = try await told(of: item, isDirectory: isDirectory)
        let path = try path(of: item)
        return told.filter { $0.isOf(path, number) }.compactMap { shown($0) }
    }

    /// The people and groups whose name, account or address a text is part of.
    package func recipients(_ text: String, isDirectory: Bool) async throws(Failure) -> [ShareRecipient] {
        let query = [
            ("search", text), ("itemType", isDirectory ? "folder" : "file"), ("perPage", "\(Self.mostRecipients)"),
            ("page", "1"), ("lookup", "false"),
        ]
        let found: ToldRecipients = try await answer { () throws(DAVFailure) in
            try await server.read(json: recipientsPlace, query + Self.json)
        }
        return found.recipients(most: Self.mostRecipients)
    }

    /// Shares an item, never the whole collection. A share that is there and the same is returned rather than made twice.
    ///
    /// - Parameter wish: As the rules allow it.
    package func share(
        _ item: RelativePath, isDirectory: Bool, _ wish: ShareWish
    ) async throws(Failure) -> ItemShare {
        let path = try path(of: item)
        let (known, number) = try await told(of: item, isDirectory: isDirectory)
        let own = known.filter { $0.isOf(path, number) && $0.kind == wish.kind }
        if let same = own.first(where: { isSame($0, wish) }).flatMap({ shown($0) }) { return same }
        if let other = own.first(where: { wish.kind != .link && $0.share_with == wish.recipient }) {
            throw .sharedAlready(shown(other)?.recipient?.name ?? wish.recipient ?? "")
        }
        let form = form(wish, path: path, isDirectory: isDirectory)
        let made: ToldShare = try await answer { () throws(DAVFailure) in
            try await server.post(form, to: place, Self.json, as: "Roundel")
        }
        let isMeant =
            made.kind == wish.kind && made.isOf(path, number) && made.isWithin(wish.rights, isDirectory: isDirectory)
            && made.ends(by: wish.end?.text) && (wish.kind == .link || made.share_with == wish.recipient)
            && (wish.password == nil || made.hasPassword)
        guard isMeant, let share = shown(made), wish.kind != .link || share.address != nil else {
            // One that was there before is not this program's to remove.
            let isNew = made.id.map { id in !known.contains { $0.id == id } } ?? false
            guard isNew, let id = made.id else { throw .wrongShare(isTakenBack: false) }
            do throws(Failure) { try await remove(id) } catch { throw .wrongShare(isTakenBack: false) }
            throw .wrongShare(isTakenBack: true)
        }
        return share
    }

    /// Changes one of the user's shares of an item, one value after the other, as the interface wants it. Those of other
    /// items are not touched. If it fails in the middle, what was changed before stays changed.
    ///
    /// - Parameter change: As the rules allow it.
    package func change(
        _ share: String, of item: RelativePath, isDirectory: Bool, _ change: ShareChange
    ) async throws(Failure) -> ItemShare {
        guard try await told(share, of: item, isDirectory: isDirectory) != nil, let name = EntryName(share) else {
            throw .noSuchShare
        }
        for value in Self.values(change, isDirectory: isDirectory) {
            try await checkAnswer { () throws(DAVFailure) in
                try await server.put([value], to: place.appending(name), Self.json)
            }
        }
        guard let now = try await told(share, of: item, isDirectory: isDirectory), isAsWished(now, change, isDirectory),
            let changed = shown(now)
        else { throw .wrongShare(isTakenBack: false) }
        return changed
    }

    /// The values that are sent: what takes something away comes before what gives something.
    private static func values(_ change: ShareChange, isDirectory: Bool) -> [(String, String)] {
        var values: [(String, String)] = []
        switch change.password {
        case .kept: break
        case .none: values.append(("password", ""))
        case .new(let password): values.append(("password", password.text))
        }
        switch change.end {
        case .kept: break
        case .none: values.append(("expireDate", ""))
        case .day(let day): values.append(("expireDate", day.text))
        }
        if let rights = change.rights {
            let value = ("permissions", "\(ToldShare.permissions(rights, isDirectory: isDirectory))")
            values.insert(value, at: rights == .view ? 0 : values.count)
        }
        return values
    }

    private func isAsWished(_ share: ToldShare, _ change: ShareChange, _ isDirectory: Bool) -> Bool {
        let hasRights = change.rights.map { share.isWithin($0, isDirectory: isDirectory) } ?? true
        let hasEnd =
            switch change.end {
            case .kept: true
            // A server may have every share end.
            case .none: true
            case .day(let day): share.ends(by: day.text)
            }
        let hasPassword =
            switch change.password {
            case .kept: true
            case .none: !share.hasPassword
            case .new: share.hasPassword
            }
        return hasRights && hasEnd && hasPassword
    }

    /// One of the user's shares of an item; nil if there is none with this id.
    private func told(
        _ share: String, of item: RelativePath, isDirectory: Bool
    ) async throws(Failure) -> ToldShare? {
        let (known, number) = try await told(of: item, isDirectory: isDirectory)
        let path = try path(of: item)
        return known.first { $0.id == share && $0.isOf(path, number) }
    }

    /// Ends one of the user's shares of an item. Those of other items are not touched.
    package func end(_ share: String, of item: RelativePath, isDirectory: Bool) async throws(Failure) {
        guard try await shares(of: item, isDirectory: isDirectory).contains(where: { $0.id == share }) else {
            throw .noSuchShare
        }
        try await remove(share)
    }

    // MARK: Requests

    private func path(of item: RelativePath) throws(Failure) -> String {
        guard !item.isRoot, let path = files.path(of: item) else { throw .refused(nil) }
        return path
    }

    /// What the server lists for an item, and the item's number.
    private func told(
        of item: RelativePath, isDirectory: Bool
    ) async throws(Failure) -> (shares: [ToldShare], number: String?) {
        let path = try path(of: item)
        let shares: [ToldShare] = try await answer { () throws(DAVFailure) in
            try await server.read(json: place, [("path", path)] + Self.json)
        }
        do throws(DAVFailure) {
            return (shares, try await ItemPage.number(of: item, isDirectory: isDirectory, client))
        } catch {
            throw .request(error)
        }
    }

    private func form(_ wish: ShareWish, path: String, isDirectory: Bool) -> [(String, String)] {
        let permissions = ToldShare.permissions(wish.rights, isDirectory: isDirectory)
        var form = [
            ("path", path), ("shareType", "\(ToldShare.type(of: wish.kind))"), ("permissions", "\(permissions)"),
        ]
        if let recipient = wish.recipient { form.append(("shareWith", recipient)) }
        if wish.kind == .link, isDirectory, wish.rights == .edit { form.append(("publicUpload", "true")) }
        if let end = wish.end { form.append(("expireDate", end.text)) }
        if let password = wish.password { form.append(("password", password.text)) }
        return form
    }

    private func remove(_ share: String) async throws(Failure) {
        guard let name = EntryName(share) else { throw .noSuchShare }
        try await checkAnswer { () throws(DAVFailure) in
            try await server.remove(json: place.appending(name), Self.json)
        }
    }

    /// Whether a share that is there gives what is wished.
    private func isSame(_ share: ToldShare, _ wish: ShareWish) -> Bool {
        share.rights == wish.rights && share.lastDay == wish.end?.text && !share.hasPassword && wish.password == nil
            && (wish.kind == .link || share.share_with == wish.recipient)
    }

    /// The share for people; nil if it cannot be identified.
    private func shown(_ told: ToldShare) -> ItemShare? {
        guard let id = told.id else { return nil }
        var share = ItemShare(id: id, kind: told.kind)
        share.rights = told.rights
        share.end = told.lastDay
        share.hasPassword = told.hasPassword
        share.made = told.stime
        if told.kind == .link {
            share.address = told.url.flatMap { ServerPages.pageAddress($0, for: server.location) }
        } else if let recipient = told.share_with {
            let name = told.share_with_displayname.flatMap { ServerText.isLine($0, longest: 256) ? $0 : nil }
            share.recipient = ShareRecipient(kind: told.kind ?? .user, id: recipient, name: name ?? recipient)
        }
        return share
    }

    /// Asks something that has no answer but whether it was done.
    private func checkAnswer(_ ask: () async throws(DAVFailure) -> [UInt8]) async throws(Failure) {
        let text: [UInt8]
        do throws(DAVFailure) { text = try await ask() } catch { throw .request(error) }
        do throws(ShareAnswer.Failure) { try ShareAnswer.check(text) } catch { throw Failure(error) }
    }

    private func answer<Contents: Decodable>(
        _ ask: () async throws(DAVFailure) -> [UInt8]
    ) async throws(Failure) -> Contents {
        let text: [UInt8]
        do throws(DAVFailure) { text = try await ask() } catch { throw .request(error) }
        do throws(ShareAnswer.Failure) { return try ShareAnswer.contents(text) } catch { throw Failure(error) }
    }
}

extension ItemShares.Failure {
    fileprivate init(_ failure: ShareAnswer.Failure) {
        self =
            switch failure {
            case .malformed: .request(DAVFailure(.malformed))
            case .refused(let reason): .refused(reason)
            }
    }
}
