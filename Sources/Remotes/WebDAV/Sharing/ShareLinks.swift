internal import FoundationEssentials
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
        let known: [Share] = try await answer { () throws(DAVFailure) in
            try await server.read(json: place, [("path", path), ("format", "json")])
        }
        let plain = known.filter(\.isPlain)
        let number = plain.contains { $0.number != nil } ? try await number(of: item) : nil
        let own = plain.filter { $0.isOf(path, number) }
        if let link = own.first(where: { $0.lastDay == end }).flatMap({ address($0) }) { return link }
        let form =
            [("path", path), ("shareType", "\(Share.link)"), ("permissions", "\(Share.read)")]
            + (end.map { [("expireDate", $0)] } ?? [])
        let made: Share = try await answer { () throws(DAVFailure) in
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
    private func isTakenBack(_ share: Share) async -> Bool {
        guard let id = share.id.flatMap({ EntryName($0) }) else { return false }
        guard let text = try? await server.remove(json: place.appending(id), [("format", "json")]) else { return false }
        return (try? JSONDecoder().decode(Enveloped<Outcome>.self, from: Data(text)).ocs.meta.isSuccess) ?? false
    }

    private func address(_ share: Share) -> String? {
        share.url.flatMap { ServerPages.pageAddress($0, for: server.location) }
    }

    /// Parses a response. This version of the interface reports failures inside it, with a successful status.
    private func answer<Contents: Decodable>(
        _ ask: () async throws(DAVFailure) -> [UInt8]
    ) async throws(Failure) -> Contents {
        let text: Data
        do throws(DAVFailure) { text = Data(try await ask()) } catch { throw .request(error) }
        guard let outcome = try? JSONDecoder().decode(Enveloped<Outcome>.self, from: text).ocs.meta else {
            throw .request(DAVFailure(.malformed))
        }
        guard outcome.isSuccess else { throw .refused(outcome.sentence) }
        guard let contents = try? JSONDecoder().decode(Enveloped<Filled<Contents>>.self, from: text).ocs.data else {
            throw .request(DAVFailure(.malformed))
        }
        return contents
    }
}

private struct Enveloped<Contents: Decodable>: Decodable { var ocs: Contents }

private struct Filled<Contents: Decodable>: Decodable { var data: Contents }

private struct Outcome: Decodable {
    struct Meta: Decodable {
        var statuscode: Int
        var message: String?

        var isSuccess: Bool { statuscode == 100 || statuscode == 200 }

        /// The most characters of a reason that are shown.
        private static let longest = 256

        /// The reason, if it is a line that can be displayed.
        var sentence: String? {
            guard let message, (1...Self.longest).contains(message.count),
                message.unicodeScalars.allSatisfy({ !Self.isControl($0) })
            else { return nil }
            return message
        }

        private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    var meta: Meta
}

/// A share as the server describes it.
private struct Share: Decodable {
    /// The kind of share that is a link.
    static let link = 3
    /// The permission to read, as a bit.
    static let read = 1
    /// The permission to share further, as a bit; servers add it on their own.
    private static let shareFurther = 16

    var share_type: Int
    var permissions: Int
    var url: String?
    /// Contains the password of a link.
    var share_with: String?
    var password: String?
    /// The path of the shared item in the account.
    var path: String?
    /// The day on which it ends, with a time.
    var expiration: String?
    private var file_source: Number?
    private var item_source: Number?
    private let identifier: Number?

    private enum CodingKeys: String, CodingKey {
        case share_type, permissions, url, share_with, password, path, expiration, file_source, item_source
        case identifier = "id"
    }

    /// What identifies the share at the server.
    var id: String? { identifier?.text }
    /// The number of the shared item.
    var number: String? { (file_source ?? item_source)?.text }

    /// The last day on which it works, as `2026-11-28`; nil if it does not end.
    var lastDay: String? { expiration.map { String($0.prefix(10)) } }

    /// Whether it works no longer than to this day.
    func ends(by day: String?) -> Bool {
        guard let day else { return true }
        return lastDay.map { $0 <= day } ?? false
    }

    /// Whether it shares the item at this path with this number, as far as the server says what it shares.
    func isOf(_ meant: String, _ number: String?) -> Bool {
        if let own = self.number, let number { return own == number }
        return path.map { $0 == meant } ?? true
    }

    var isPlain: Bool {
        share_type == Self.link && permissions & ~Self.shareFurther == Self.read && share_with == nil && password == nil
    }
}

/// A number, which servers write as a number or as text.
private struct Number: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(UInt64.self) {
            text = "\(number)"
        } else {
            text = try value.decode(String.self)
        }
    }
}
