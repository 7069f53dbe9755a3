package import SyncCore

/// Links with which anyone can read an item, on a server with Nextcloud's interface for them (OCS Share API, version
/// 1).
package struct ShareLinks: Sendable {
    /// Why there is no link.
    package enum Failure: Error, Hashable, Sendable {
        /// The request failed.
        case request(DAVFailure)
        /// The server creates no link to this item; with its one-line reason for the user, if it gives one.
        case refused(String?)
        /// The server made a link to something else, or one that is not what was asked for; whether it was taken back.
        case wrongLink(isTakenBack: Bool)
    }

    private let client: DAVClient
    private let server: DAVClient
    private let files: AccountFiles
    private let place: RelativePath

    /// The links of a collection; nil on a server with another layout.
    ///
    /// - Parameter client: A client of the collection; it must outlive this value.
    package init?(_ client: DAVClient) {
        guard let files = AccountFiles(of: client.location) else { return nil }
        self.files = files
        self.client = client
        server = client.at([])
        place = RelativePath(ServerPages.base(of: client.location) + ServerPages.shares)
    }

    /// The link to an item, never to the whole collection. An existing one is reused if it allows no writing and needs no
    /// password, so that copying a link twice shares the item only once.
    ///
    /// - Parameter end: The last day on which the link works, as `2026-11-28`: a server may make it end sooner. With nil
    ///   it ends only if the server has every link end.
    package func link(to item: RelativePath, until end: String? = nil) async throws(Failure) -> String {
        guard !item.isRoot, let path = files.path(of: item) else { throw .refused(nil) }
        let known: [ToldShare] = try await answer { () throws(DAVFailure) in
            try await server.read(json: place, [("path", path), ("format", "json")])
        }
        let plain = known.filter(\.isPlain)
        let number = plain.contains { $0.number != nil } ? try await number(of: item) : nil
        let own = plain.filter { $0.isOf(path, number) }
        if let link = own.first(where: { $0.lastDay == end }).flatMap({ address($0) }) { return link }
        let form =
            [("path", path), ("shareType", "\(ToldShare.link)"), ("permissions", "\(ToldShare.read)")]
            + (end.map { [("expireDate", $0)] } ?? [])
        let made: ToldShare = try await answer { () throws(DAVFailure) in
            try await server.post(form, to: place, [("format", "json")], as: "Roundel")
        }
        let meant = try await made.number == nil || number != nil ? number : self.number(of: item)
        let isMeant = made.isPlain && made.isOf(path, meant)
        if isMeant, end == nil, made.lastDay != nil,
            let longest = own.max(by: { $0.lastDay ?? "" < $1.lastDay ?? "" }), let link = address(longest)
        {
            // The server has every link end: the one that is there serves as well as another.
            if known.contains(where: { $0.id == made.id }) { return link }
            return await isTakenBack(made) ? link : address(made) ?? link
        }
        guard isMeant, made.ends(by: end), let link = address(made) else {
            // One that was there before is not this program's to remove.
            let isNew = made.id.map { id in !known.contains { $0.id == id } } ?? false
            throw .wrongLink(isTakenBack: isNew ? await isTakenBack(made) : false)
        }
        return link
    }

    /// The number of an item at the server; nil if it has none.
    private func number(of item: RelativePath) async throws(Failure) -> String? {
        do throws(DAVFailure) {
            return try await ItemPage.number(of: item, client)
        } catch {
            throw .request(error)
        }
    }

    /// Removes a share that was just made; whether that succeeded.
    private func isTakenBack(_ share: ToldShare) async -> Bool {
        guard let id = share.id.flatMap({ EntryName($0) }) else { return false }
        guard let text = try? await server.remove(json: place.appending(id), [("format", "json")]) else { return false }
        do {
            try ShareAnswer.check(text)
            return true
        } catch {
            return false
        }
    }

    private func address(_ share: ToldShare) -> String? {
        share.url.flatMap { ServerPages.pageAddress($0, for: server.location) }
    }

    /// Parses a response. This version of the interface reports failures inside it, with a successful status.
    private func answer<Contents: Decodable>(
        _ ask: () async throws(DAVFailure) -> [UInt8]
    ) async throws(Failure) -> Contents {
        let text: [UInt8]
        do throws(DAVFailure) { text = try await ask() } catch { throw .request(error) }
        do throws(ShareAnswer.Failure) {
            return try ShareAnswer.contents(text)
        } catch {
            switch error {
            case .malformed: throw .request(DAVFailure(.malformed))
            case .refused(let reason): throw .refused(reason)
            }
        }
    }
}
