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
    }

    private let server: DAVClient
    private let files: AccountFiles
    private let place: RelativePath

    /// The links of a collection; nil on a server with another layout.
    ///
    /// - Parameter client: A client of the collection; it must outlive this value.
    package init?(_ client: DAVClient) {
        guard let files = AccountFiles(of: client.location) else { return nil }
        self.files = files
        server = client.at([])
        place = RelativePath(ServerPages.base(of: client.location) + ServerPages.shares)
    }

    /// The link to an item. An existing one is reused if it allows no writing and needs no password, so that copying a
    /// link twice shares the item only once.
    package func link(to item: RelativePath) async throws(Failure) -> String {
        guard let path = files.path(of: item) else { throw .refused(nil) }
        let known: [Share] = try await answer { () throws(DAVFailure) in
            try await server.read(json: place, [("path", path), ("format", "json")])
        }
        if let link = known.first(where: \.isPlain).flatMap({ address($0) }) { return link }
        let form = [("path", path), ("shareType", "\(Share.link)"), ("permissions", "\(Share.read)")]
        let made: Share = try await answer { () throws(DAVFailure) in
            try await server.post(form, to: place, [("format", "json")], as: "Roundel")
        }
        guard let link = address(made) else { throw .request(DAVFailure(.malformed)) }
        return link
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

    var isPlain: Bool {
        share_type == Self.link && permissions & ~Self.shareFurther == Self.read && share_with == nil && password == nil
    }
}
