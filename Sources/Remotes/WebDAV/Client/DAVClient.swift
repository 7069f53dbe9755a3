internal import AsyncHTTPClient
package import NIOCore
internal import NIOHTTP1
package import NIOSSL
internal import Remotes
internal import Support
package import SyncCore
package import SyncEngine
internal import Synchronization

/// What can be asked of one collection of a server, and changed in it.
package final class DAVClient: Sendable {
    /// The depth of a request for properties.
    package enum Depth: String, Sendable {
        /// Only the item.
        case item = "0"
        /// The item and its direct contents.
        case entries = "1"
        /// The item and everything below it.
        case tree = "infinity"
    }

    /// The synced collection.
    package let location: ServerLocation
    private let limits: DAVLimits
    private let exchange: ServerExchange
    private let destinations: DestinationForm
    /// The speed limit for contents of files.
    let pace: TransferPace

    /// A client of one server.
    ///
    /// - Parameters:
    ///   - trust: The trusted certificate authorities.
    ///   - connections: The most connections that are kept open at the same time.
    ///   - pace: The speed limit for contents of files; other requests are not limited.
    ///   - routes: The ways by which the server is reached.
    ///   - certificates: Those that the person gave for the server.
    ///   - clock: Returns the seconds since 1970 by this computer's clock.
    package convenience init(
        _ location: ServerLocation, credentials: Credentials?, trust: NIOSSLTrustRoots = .default,
        limits: DAVLimits = DAVLimits(), connections: Int = 8, pace: TransferPace = TransferPace(),
        routes: ServerRoutes = .environment, certificates: GivenCertificates? = nil,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.init(
            location, login: FixedCredentials(credentials), trust: trust, limits: limits, connections: connections,
            pace: pace, routes: routes, certificates: certificates, clock: clock)
    }

    /// A client of one server that gets its credentials from a source.
    package convenience init(
        _ location: ServerLocation, login credentials: any CredentialSource, trust: NIOSSLTrustRoots = .default,
        limits: DAVLimits = DAVLimits(), connections: Int = 8, pace: TransferPace = TransferPace(),
        routes: ServerRoutes = .environment, certificates: GivenCertificates? = nil,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.init(
            location, login: credentials, trust: trust, limits: limits, connections: connections, pace: pace,
            routes: routes, certificates: certificates, kept: nil, clock: clock)
    }

    /// The same, over connections that others had open to the server.
    ///
    /// - Parameter kept: Where they are taken from, and left at the end; nil for connections of its own.
    init(
        _ location: ServerLocation, login credentials: any CredentialSource, trust: NIOSSLTrustRoots = .default,
        limits: DAVLimits = DAVLimits(), connections: Int = 8, pace: TransferPace = TransferPace(),
        routes: ServerRoutes = .environment, certificates: GivenCertificates? = nil, kept: KeptClients?,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.location = location
        self.limits = limits
        self.pace = pace
        exchange = ServerExchange(
            with: location, login: credentials, trust: trust, limits: limits, connections: connections, routes: routes,
            certificates: certificates, kept: kept, clock: clock)
        destinations = DestinationForm()
    }

    private init(_ location: ServerLocation, as other: DAVClient) {
        self.location = location
        (limits, exchange, pace, destinations) = (other.limits, other.exchange, other.pace, other.destinations)
    }

    /// The same client for another collection of the server; it ends with this client.
    func at(_ names: [EntryName]) -> DAVClient { DAVClient(location.at(names), as: self) }

    /// Ends the client. No request may be in progress.
    package func shutDown() async { await exchange.shutDown() }

    /// The same at once, with its connections left to who asks the server next, if it took them from there.
    func letGo() { exchange.letGo() }

    /// Allows requests again regardless of earlier responses, because the user wants that.
    package func resume() { exchange.resume() }

    /// How connections are encrypted.
    var encryption: ServerEncryption { exchange.encryption }
    /// The credentials, for connections other than requests.
    func login() async throws(DAVFailure) -> Credentials? { try await exchange.login() }
    /// Returns when the user logs out, or the task is cancelled.
    func loginEnds() async { await exchange.loginEnds() }

    /// The name of the server's software in its last response.
    var program: String? { exchange.program }
    /// Seconds since 1970 by the server's clock, in whole seconds; nil if it never reported them.
    package var serverTime: Int64? { exchange.serverTime }
    /// The current year by this computer's clock.
    var year: Int { exchange.year }

    // MARK: Questions

    /// Reads properties of an item and its contents (PROPFIND). `each` is called with the items as they arrive; if this
    /// fails, they must be ignored.
    package func properties(
        of path: RelativePath, isDirectory: Bool, depth: Depth, _ names: Set<PropertyName>,
        each: @escaping @Sendable ([MultistatusResponse]) async throws -> Void
    ) async throws(DAVFailure) {
        var request = self.request(.PROPFIND, path, isDirectory: isDirectory)
        request.headers.add(name: "Depth", value: depth.rawValue)
        request.headers.add(name: "Content-Type", value: "application/xml; charset=utf-8")
        request.body = .bytes(ByteBuffer(string: Self.question(names)))
        let time = depth == .item ? limits.answer : limits.wholeListing
        _ = try await exchange.perform(request, within: time) { [limits] response in
            guard response.status == .multiStatus else {
                throw DAVFailure(.malformed, status: Int(response.status.code))
            }
            guard let parser = MultistatusParser(wanted: names) else { throw DAVFailure(.malformed) }
            var (size, unfinished) = (Int64(0), 0)
            for try await part in response.body {
                size += Int64(part.readableBytes)
                unfinished += part.readableBytes
                guard size <= limits.listing, unfinished <= limits.item else { throw DAVFailure(.malformed) }
                let items = try parser.read(part.readableBytesView)
                if items.isEmpty { continue }
                unfinished = 0
                try await each(items)
            }
            try await each(try parser.finish())
        }
    }

    private static func question(_ names: Set<PropertyName>) -> String {
        let spaces = Set(names.map(\.namespace)).subtracting(["DAV:"]).sorted()
        let prefixes = Dictionary(uniqueKeysWithValues: zip(spaces, spaces.indices.map { "n\($0)" }))
        let declared = spaces.map { " xmlns:\(prefixes[$0] ?? "")=\"\($0)\"" }.joined()
        let wanted = names.map { "<\(prefixes[$0.namespace] ?? "d"):\($0.name)/>" }.sorted().joined()
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <d:propfind xmlns:d="DAV:"\(declared)><d:prop>\(wanted)</d:prop></d:propfind>
            """
    }

    /// The response to a HEAD request for an item.
    package func look(_ path: RelativePath) async throws(DAVFailure) -> DAVReply {
        var request = self.request(.HEAD, path, isDirectory: false)
        // A known server sends a page even if nothing is there. On a connection that is reused, it would be read as the
        // beginning of the next response.
        request.headers.add(name: "Connection", value: "close")
        return try await exchange.perform(request, within: limits.answer)
    }

    /// The answer to a question of somebody who looks for servers, whatever its status, and where it leads.
    ///
    /// - Parameter isSigned: Whether the credentials go with it.
    func ask(_ question: ServerQuestion, isSigned: Bool = false) async throws(DAVFailure) -> ServerReply {
        let isCollection = question.method == .collection
        var request = self.request(
            isCollection ? .PROPFIND : .GET, RelativePath(question.place.names), isDirectory: isCollection)
        if isCollection {
            request.headers.add(name: "Depth", value: Depth.item.rawValue)
            request.headers.add(name: "Content-Type", value: "application/xml; charset=utf-8")
            request.body = .bytes(ByteBuffer(string: Self.question([.resourceType])))
        }
        if isSigned { try await exchange.login()?.sign(&request) }
        let asked = request
        do {
            return try await Deadline.run(limits.answer) { [exchange] in
                let response = try await exchange.send(asked, by: .usual)
                var page: [UInt8] = []
                if response.status == .ok || response.status == .serviceUnavailable {
                    for try await part in response.body {
                        page += part.readableBytesView.prefix(ServerReply.longest - page.count)
                        if page.count == ServerReply.longest { break }
                    }
                }
                return ServerReply(
                    Int(response.status.code), target: response.headers.first(name: "Location"),
                    challenges: response.headers["WWW-Authenticate"], page: page)
            }
        } catch {
            throw exchange.failure(error)
        }
    }

    // MARK: Contents

    /// Starts reading a file, or its bytes from `start` on.
    ///
    /// - Parameters:
    ///   - expected: The expected contents; others cause ``DAVFailure/Reason/conditionFailed``.
    ///   - isPaced: Whether the speed limit applies; false for short files of this program.
    package func open(
        _ path: RelativePath, from start: Int64 = 0, expecting expected: EntityTag?, isPaced: Bool = true
    ) async throws(DAVFailure) -> DAVContents {
        var request = self.request(.GET, path, isDirectory: false)
        // The tag is compared with that of the response. A server whose tags are weak refuses any condition with one.
        if start > 0 { request.headers.add(name: "Range", value: "bytes=\(start)-") }
        let contents = try await contents(request, from: start, expecting: expected, isPaced: isPaced)
        guard contents.start == start else { throw DAVFailure(.malformed, status: contents.reply.status) }
        return contents
    }

    /// Continues reading a file of which everything before `start` was read (RFC 9110, section 13.1.5).
    ///
    /// - Parameters:
    ///   - start: At least 1.
    ///   - expected: The contents that the rest must belong to, not a weak tag, which says nothing about single bytes.
    ///     Others cause ``DAVFailure/Reason/conditionFailed``.
    /// - Returns: Contents that begin at `start`, or at 0 if the server sends all of them. A part without the tag of
    ///   its contents is `malformed`.
    func goOn(
        _ path: RelativePath, from start: Int64, expecting expected: EntityTag
    ) async throws(DAVFailure) -> DAVContents {
        guard !expected.isWeak else { return try await open(path, expecting: expected) }
        var request = self.request(.GET, path, isDirectory: false)
        request.headers.add(name: "If-Range", value: expected.text)
        request.headers.add(name: "Range", value: "bytes=\(start)-")
        let contents = try await contents(request, from: start, expecting: expected, isPaced: true)
        guard contents.start == 0 || contents.reply.entityTag == expected else {
            throw DAVFailure(.malformed, status: contents.reply.status)
        }
        return contents
    }

    /// The contents in response to a request for those from `start` on, or for all of them.
    private func contents(
        _ request: HTTPClientRequest, from start: Int64, expecting expected: EntityTag?, isPaced: Bool
    ) async throws(DAVFailure) -> DAVContents {
        do {
            let response = try await exchange.begin(request, by: .usual)
            let reply = DAVReply(status: Int(response.status.code), response.headers, year: year)
            if let expected, let found = reply.entityTag, !found.names(theSameAs: expected) {
                throw DAVFailure(.conditionFailed, status: reply.status)
            }
            let isPart = response.status == .partialContent
            guard isPart ? start > 0 && reply.range?.isRest(from: start) == true : response.status == .ok else {
                throw DAVFailure(.malformed, status: reply.status)
            }
            return DAVContents(reply, response.body, from: isPart ? start : 0, pace: isPaced ? pace : nil)
        } catch {
            throw exchange.failure(error)
        }
    }

    /// Reads a file, or its bytes from `start` on. `part` is called with the bytes as they arrive.
    ///
    /// - Parameter expected: As in ``open(_:from:expecting:)``.
    /// - Returns: What the server reports about the file it sent.
    package func read(
        _ path: RelativePath, from start: Int64 = 0, expecting expected: EntityTag?,
        part: (ByteBuffer) async throws -> Void
    ) async throws(DAVFailure) -> DAVReply {
        let contents = try await open(path, from: start, expecting: expected)
        do {
            while let bytes = try await contents.next() { try await part(bytes) }
        } catch {
            throw exchange.failure(error)
        }
        return contents.reply
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - length: The number of bytes in `parts`.
    ///   - headers: Additional headers for this kind of server.
    package func write<Parts: AsyncSequence & Sendable>(
        _ path: RelativePath, length: Int64, parts: Parts, if condition: Condition, headers: [(String, String)] = []
    ) async throws(DAVFailure) -> DAVReply where Parts.Element == ByteBuffer {
        let request = writing(path, length: length, parts: parts, if: condition, headers)
        return try await exchange.perform(request, within: nil, by: length < Self.large ? .usual : .patient)
    }

    /// Replaces a file on which this client has a lock.
    func write(
        _ path: RelativePath, _ bytes: ByteBuffer, lock: String, headers: [(String, String)]
    ) async throws(DAVFailure) -> DAVReply {
        let (length, parts) = (Int64(bytes.readableBytes), OneBuffer(bytes))
        let request = writing(path, length: length, parts: parts, if: .none, headers)
        return try await perform(request, at: path, isDirectory: false, lock: lock)
    }

    private func writing<Parts: AsyncSequence & Sendable>(
        _ path: RelativePath, length: Int64, parts: Parts, if condition: Condition, _ headers: [(String, String)]
    ) -> HTTPClientRequest where Parts.Element == ByteBuffer {
        var request = self.request(.PUT, path, isDirectory: false)
        condition.add(to: &request.headers)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.headers.add(name: "Content-Type", value: "application/octet-stream")
        request.body = .stream(PacedParts(parts, pace), length: .known(length))
        return request
    }

    /// Bytes of an upload from which on its answer may take longer.
    private static let large: Int64 = 32 << 20

    // MARK: Changes

    /// Creates a collection where nothing exists (MKCOL).
    package func makeDirectory(
        _ path: RelativePath, headers: [(String, String)] = []
    ) async throws(DAVFailure) -> DAVReply {
        var request = self.request(.MKCOL, path, isDirectory: true)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        return try await exchange.perform(request, within: limits.answer)
    }

    /// Moves an item (MOVE).
    ///
    /// - Parameters:
    ///   - place: The collection of `target`, if it is another one on the server.
    ///   - condition: What must be at `path`.
    ///   - overwrites: Whether an item at `target` may be replaced.
    ///   - lock: A lock on `target`.
    ///   - replaced: What must be at `target`, on a server that honours that; no lock may be given then.
    ///   - headers: Additional headers for this kind of server.
    package func move(
        _ path: RelativePath, to target: RelativePath, of place: ServerLocation? = nil, isDirectory: Bool,
        if condition: Condition, overwrites: Bool, lock: String? = nil, replacing replaced: EntityTag? = nil,
        headers: [(String, String)] = []
    ) async throws(DAVFailure) -> DAVReply {
        let request = moving(
            path, to: target, of: place ?? location, isDirectory: isDirectory, if: condition, overwrites: overwrites,
            demanding: lock ?? replaced.map { "[\($0.text)]" }, headers)
        var byPath = request
        byPath.headers.replaceOrAdd(
            name: "Destination", value: (place ?? location).path(of: target, isDirectory: isDirectory))
        if destinations.arePaths { return try await exchange.perform(byPath, within: limits.answer) }
        let begun = ContinuousClock.now
        do throws(DAVFailure) {
            return try await exchange.perform(request, within: limits.answer)
        } catch {
            // Behind a proxy that handles encryption, some servers take an address with https for that of another
            // server. A destination may also be a path (RFC 4918, section 10.3). A proxy that gave up waiting says the
            // same, but later, and the server may still be at it.
            guard error.status == 502, ContinuousClock.now - begun < Self.promptRefusal else { throw error }
            return try await repeated(byPath, after: error)
        }
    }

    /// A 502 that takes longer comes from a proxy that gave up waiting, and not from one that reached nobody.
    static let promptRefusal = Duration.seconds(2)

    /// Sends a move again with a path as its destination.
    private func repeated(_ request: HTTPClientRequest, after first: DAVFailure) async throws(DAVFailure) -> DAVReply {
        do throws(DAVFailure) {
            let reply = try await exchange.perform(request, within: limits.answer)
            destinations.usePaths()
            return reply
        } catch {
            // Only an answer about the two ends shows that the server understood where they are. If nothing is at the
            // source, the first request may have moved it.
            guard [.conditionFailed, .denied, .notAllowed].contains(error.reason) else { throw first }
            destinations.usePaths()
            throw error
        }
    }

    private func moving(
        _ path: RelativePath, to target: RelativePath, of place: ServerLocation, isDirectory: Bool,
        if condition: Condition, overwrites: Bool, demanding demand: String?, _ headers: [(String, String)]
    ) -> HTTPClientRequest {
        var request = self.request(.MOVE, path, isDirectory: isDirectory)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let destination = place.address(of: target, isDirectory: isDirectory)
        request.headers.add(name: "Destination", value: destination)
        request.headers.add(name: "Overwrite", value: overwrites ? "T" : "F")
        if let demand { request.headers.add(name: "If", value: "<\(destination)> (\(demand))") }
        condition.add(to: &request.headers)
        return request
    }

    /// Removes an item, a collection with its contents (DELETE).
    ///
    /// - Parameters:
    ///   - lock: A lock on the item, or on a file in it.
    ///   - locked: That file; nil for the item itself.
    package func remove(
        _ path: RelativePath, isDirectory: Bool, if condition: Condition, lock: String? = nil,
        on locked: RelativePath? = nil
    ) async throws(DAVFailure) -> DAVReply {
        var request = self.request(.DELETE, path, isDirectory: isDirectory)
        condition.add(to: &request.headers)
        guard let lock else { return try await exchange.perform(request, within: limits.answer) }
        return try await perform(request, at: locked ?? path, isDirectory: locked == nil && isDirectory, lock: lock)
    }

    /// Sends a request for an item on which this client has a lock.
    private func perform(
        _ unlocked: HTTPClientRequest, at path: RelativePath, isDirectory: Bool, lock: String
    ) async throws(DAVFailure) -> DAVReply {
        // Without the address, a known server also asks for the lock of the surrounding collection. With it, another
        // server does not recognise an item whose name is encoded.
        var (request, plain) = (unlocked, unlocked)
        plain.headers.add(name: "If", value: "(\(lock))")
        request.headers.add(
            name: "If", value: "<\(location.address(of: path, isDirectory: isDirectory))> (\(lock))")
        do throws(DAVFailure) {
            return try await exchange.perform(request, within: limits.answer)
        } catch {
            guard error.reason == .locked || error.reason == .conditionFailed else { throw error }
            return try await exchange.perform(plain, within: limits.answer)
        }
    }

    /// Locks a file for writing for at most this many seconds; the reply contains the lock's token.
    package func lock(_ path: RelativePath, seconds: Int) async throws(DAVFailure) -> DAVReply {
        var request = self.request(.RAW(value: "LOCK"), path, isDirectory: false)
        request.headers.add(name: "Depth", value: "0")
        request.headers.add(name: "Timeout", value: "Second-\(seconds)")
        request.headers.add(name: "Content-Type", value: "application/xml; charset=utf-8")
        request.body = .bytes(
            ByteBuffer(
                string: """
                    <?xml version="1.0" encoding="utf-8"?>
                    <d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockinfo>
                    """))
        return try await exchange.perform(request, within: limits.answer)
    }

    /// Releases a lock.
    ///
    /// - Parameter time: How long to wait for the answer; nil for as long as for any.
    package func unlock(
        _ path: RelativePath, _ lock: String, within time: Duration? = nil
    ) async throws(DAVFailure) -> DAVReply {
        var request = self.request(.RAW(value: "UNLOCK"), path, isDirectory: false)
        request.headers.add(name: "Lock-Token", value: lock)
        return try await exchange.perform(request, within: time ?? limits.answer)
    }

    /// Sends a form (POST) and returns the short response.
    ///
    /// - Parameters:
    ///   - query: The query of the address.
    ///   - agent: The name of this program at the server.
    func post(
        _ form: [(String, String)], to path: RelativePath, _ query: [(String, String)] = [], as agent: String
    ) async throws(DAVFailure) -> [UInt8] {
        var request = jsonRequest(.POST, path, query)
        request.headers.replaceOrAdd(name: "User-Agent", value: agent)
        return try await text(Self.with(form, request))
    }

    /// Changes something by a form (PUT), and returns the short response.
    ///
    /// - Parameter query: The query of the address.
    func put(
        _ form: [(String, String)], to path: RelativePath, _ query: [(String, String)] = []
    ) async throws(DAVFailure) -> [UInt8] {
        try await text(Self.with(form, jsonRequest(.PUT, path, query)))
    }

    private static func with(_ form: [(String, String)], _ request: HTTPClientRequest) -> HTTPClientRequest {
        var request = request
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: encoded(form)))
        return request
    }

    /// Reads a short resource that is not a file.
    ///
    /// - Parameter query: The query of the address.
    func read(json path: RelativePath, _ query: [(String, String)] = []) async throws(DAVFailure) -> [UInt8] {
        try await text(jsonRequest(.GET, path, query))
    }

    /// Sets something that is not a file and has no contents, and returns the short response.
    func put(json path: RelativePath, _ query: [(String, String)] = []) async throws(DAVFailure) -> [UInt8] {
        try await text(jsonRequest(.PUT, path, query))
    }

    /// Removes something that is not a file, and returns the short response.
    func remove(json path: RelativePath, _ query: [(String, String)] = []) async throws(DAVFailure) -> [UInt8] {
        try await text(jsonRequest(.DELETE, path, query))
    }

    private func jsonRequest(_ method: HTTPMethod, _ path: RelativePath, _ query: [(String, String)])
        -> HTTPClientRequest
    {
        var request = self.request(method, path, isDirectory: false)
        if !query.isEmpty { request.url += "?" + Self.encoded(query) }
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "OCS-APIRequest", value: "true")
        return request
    }

    private static func encoded(_ form: [(String, String)]) -> String {
        form.map { "\($0)=\(PercentCoding.encode(segment: Array($1.utf8)))" }.joined(separator: "&")
    }

    /// All of a short response.
    private func text(_ request: HTTPClientRequest) async throws(DAVFailure) -> [UInt8] {
        let answer = Mutex<[UInt8]>([])
        _ = try await exchange.perform(request, within: limits.answer) { [limits] response in
            for try await part in response.body {
                let size = answer.withLock { bytes in
                    bytes += part.readableBytesView
                    return Int64(bytes.count)
                }
                guard size <= limits.unread else { throw DAVFailure(.malformed) }
            }
        }
        return answer.withLock { $0 }
    }

    // MARK: Requests

    private func request(_ method: HTTPMethod, _ path: RelativePath, isDirectory: Bool) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: location.address(of: path, isDirectory: isDirectory))
        request.method = method
        request.headers.add(name: "User-Agent", value: "Roundel")
        return request
    }
}
