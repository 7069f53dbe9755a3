internal import FoundationEssentials
package import SyncCore

/// Links by which anybody can read an item of a server that shares Nextcloud's interface for them (OCS Share API, version 1).
package struct ShareLinks: Sendable {
    /// Why there is no link.
    package enum Failure: Error, Hashable, Sendable {
        /// The question failed.
        case request(DAVFailure)
        /// The server makes no link of this item; with its reason for a person, one line, where it gives one.
        case refused(String?)
    }

    private let server: DAVClient
    private let files: AccountFiles
    private let place: RelativePath

    /// The links of a collection; nil on a server of another layout.
    ///
    /// - Parameter client: Of the collection; it outlives this value.
    package init?(_ client: DAVClient) {
        guard let files = AccountFiles(of: client.location) else { return nil }
        self.files = files
        server = client.at([])
        place = RelativePath(ServerPages.base(of: client.location) + ServerPages.shares)
    }

    /// The link of an item. One that is there already, lets nobody write and asks for no password is given again: whoever
    /// copies it twice has shared it once.
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

    /// Reads an answer. This version of the interface says in it what failed, and answers with success.
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

        /// Most characters of a reason that are shown.
        private static let longest = 256

        /// The reason, if it is a line that can be shown.
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

/// What a server says of one share.
private struct Share: Decodable {
    /// The kind of share that is a link.
    static let link = 3
    /// The permission to read, as a bit.
    static let read = 1
    /// The permission to share further, as a bit; servers add it by themselves.
    private static let shareFurther = 16

    var share_type: Int
    var permissions: Int
    var url: String?
    /// Stands for a password in a link.
    var share_with: String?
    var password: String?

    var isPlain: Bool {
        share_type == Self.link && permissions & ~Self.shareFurther == Self.read && share_with == nil && password == nil
    }
}
