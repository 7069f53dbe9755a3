internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
internal import Support
internal import SyncCore
internal import Synchronization

/// A channel on which a server reports changes immediately (Nextcloud's app notify_push, over a WebSocket, RFC 6455).
/// It reports that something changed, but not what.
package struct ChangeChannel: Sendable {
    private let client: DAVClient
    /// Relative to the server's root.
    private let place: RelativePath
    /// How often it is checked whether the server is still there.
    private let interval: Duration

    /// - Parameter client: A client of the server's root.
    init(client: DAVClient, place: RelativePath, checkedEvery interval: Duration = Patience.Server.channelCheck) {
        (self.client, self.place, self.interval) = (client, place, interval)
    }

    /// Asks a server for its channel; nil if it has none, or only one on another server, which must not get the login.
    ///
    /// - Parameter client: A client of the synced collection; it must outlive the channel.
    package static func find(for client: DAVClient) async throws(DAVFailure) -> ChangeChannel? {
        let server = client.at([])
        guard let address = try await ServerCapabilities.read(client)?.changeChannel,
            let place = place(of: address, on: server.location)
        else { return nil }
        return ChangeChannel(client: server, place: place)
    }

    /// The path of a WebSocket on the server itself. Behind a proxy that handles encryption, the server may report an
    /// unencrypted address, which is then treated like the one it was asked at.
    private static func place(of address: String, on location: ServerLocation) -> RelativePath? {
        let schemes = [("wss://", "https://"), ("ws://", location.isEncrypted ? "https://" : "http://")]
        for (scheme, other) in schemes where address.hasPrefix(scheme) {
            return location.path(ofReference: other + address.dropFirst(scheme.count))
        }
        return nil
    }

    // MARK: Listening

    /// The most bytes of a message; known ones are short.
    private static let largest = 1 << 14

    /// Listens until the connection ends, which is not a failure once the login was accepted.
    ///
    /// - Parameters:
    ///   - opened: Called when the server reports all changes from now on.
    ///   - changed: Called when something has changed.
    package func listen(
        opened: @escaping @Sendable () -> Void, changed: @escaping @Sendable () -> Void
    ) async throws(DAVFailure) {
        let state = ListeningState()
        do {
            guard let login = try await client.login() else { throw DAVFailure(.loginNeeded) }
            let socket = try await Deadline.run(Patience.Server.channel) { [self] in try await connect() }
            try await socket.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await watch(outbound, state) }
                    group.addTask {
                        await client.loginEnds()
                        throw DAVFailure(.loginNeeded)
                    }
                    group.addTask {
                        for text in login.texts {
                            try await outbound.write(Self.frame(.text, ByteBuffer(string: text)))
                        }
                        try await Self.follow(inbound, outbound, state, opened: opened, changed: changed)
                    }
                    // Whatever ends first ends the others.
                    try await group.next()
                }
            }
        } catch {
            let failure = Task.isCancelled ? DAVFailure(.cancelled) : DAVFailure(error)
            guard state.isOpen, failure.reason != .cancelled else { throw failure }
        }
        if Task.isCancelled { throw DAVFailure(.cancelled) }
        if !state.isOpen { throw DAVFailure(.unreachable) }
    }

    /// Handles what the server says, until it closes the connection.
    private static func follow(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ state: ListeningState,
        opened: @Sendable () -> Void, changed: @Sendable () -> Void
    ) async throws {
        for try await frame in inbound {
            state.noteSign()
            switch frame.opcode {
            case .text:
                let text = String(buffer: frame.unmaskedData)
                if state.isOpen {
                    if text.hasPrefix("notify_file") { changed() }
                } else {
                    guard text == "authenticated" else { throw DAVFailure(.denied) }
                    state.open()
                    opened()
                }
            case .ping: try await outbound.write(Self.frame(.pong, frame.unmaskedData))
            case .connectionClose: return
            default: break
            }
        }
    }

    /// Regularly checks whether the server is still there: a lost connection looks like a quiet one.
    private func watch(
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>, _ state: ListeningState
    ) async throws {
        while true {
            try await Task.sleep(for: interval, clock: .continuous)
            guard ContinuousClock.now - state.lastSign < interval * 3 else { throw DAVFailure(.silent) }
            try await outbound.write(Self.frame(.ping, ByteBuffer()))
        }
    }

    private static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }

    private typealias Socket = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    private func connect() async throws -> Socket {
        let location = client.location
        let tls =
            location.isEncrypted
            ? try NIOSSLContext(configuration: try await client.encryption.configuration()) : nil
        let isNumber = location.host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        let name = location.host.hasPrefix("[") || isNumber ? nil : location.host
        let host = location.host.filter { $0 != "[" && $0 != "]" }
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: String(location.origin.drop { $0 != "/" }.dropFirst(2)))
        headers.add(name: "User-Agent", value: "Roundel")
        let path = location.address(of: place, isDirectory: false).dropFirst(location.origin.count)
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: String(path), headers: headers)
        let connection = OpenConnection()
        let upgrade: EventLoopFuture<Socket?> = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(Patience.Server.connection))
            .connect(host: host, port: location.port) { channel in
                connection.opened(channel)
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name)) }
                    let upgrader = NIOTypedWebSocketClientUpgrader<Socket?>(maxFrameSize: Self.largest) { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            try Socket(wrappingChannelSynchronously: channel)
                        }
                    }
                    return try pipeline.configureUpgradableHTTPClientPipeline(
                        configuration: NIOUpgradableHTTPClientPipelineConfiguration(
                            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                                upgradeRequestHead: head, upgraders: [upgrader],
                                notUpgradingCompletionHandler: { channel in
                                    channel.close(mode: .all).map { nil }
                                })))
                }
            }
        // To wait for the upgrade cannot be cancelled; it fails with its connection.
        let socket = try await withTaskCancellationHandler {
            try await upgrade.get()
        } onCancel: {
            connection.close()
        }
        guard let socket else { throw DAVFailure(.refused) }
        return socket
    }
}

/// A connection before its upgrade, which can be closed from outside.
private final class OpenConnection: Sendable {
    private let state = Mutex<(channel: (any Channel)?, isClosed: Bool)>((nil, false))

    /// The connection is established; closes it if ``close()`` was called before.
    func opened(_ channel: any Channel) {
        let isClosed = state.withLock { state in
            state.channel = channel
            return state.isClosed
        }
        if isClosed { channel.close(promise: nil) }
    }

    func close() {
        let channel = state.withLock { state in
            state.isClosed = true
            return state.channel
        }
        channel?.close(promise: nil)
    }
}

/// The state of a connection.
private final class ListeningState: Sendable {
    private let state = Mutex((isOpen: false, lastSign: ContinuousClock.now))

    /// Whether the server has accepted the login.
    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// When the server last sent anything.
    var lastSign: ContinuousClock.Instant { state.withLock { $0.lastSign } }

    func open() { state.withLock { $0.isOpen = true } }
    func noteSign() { state.withLock { $0.lastSign = .now } }
}
