internal import DBus
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Support

/// The connections to Syncthing, on a thread of their own that reports to the loop.
final class RestTransport: Sendable {
    /// What happened on a connection, by its number.
    enum Report: Sendable {
        case opened(Int, Pipe)
        case answered(Int, status: Int, JSON, staysOpen: Bool)
        /// It is closed, or could not be opened.
        case closed(Int)
        /// Somebody else's program listens there, and was told nothing.
        case foreign(Int)
    }

    /// An open connection.
    struct Pipe: Sendable {
        fileprivate let channel: any Channel

        /// Sends a request, once the one before is answered.
        func send(_ request: RestRequest) { channel.writeAndFlush(request, promise: nil) }
        func close() { channel.close(promise: nil) }
    }

    /// The largest answer, in bytes.
    fileprivate static let mostBytes = 64 << 20

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let address: GuiAddress
    private let headers: HTTPHeaders
    private let tls: NIOSSLContext?
    private let certificate: NIOSSLCertificate?
    private let mailbox: Mailbox<Report>
    private let wakeup: Wakeup

    /// - Throws: A certificate that cannot be read.
    init(_ place: SyncthingPlace, _ mailbox: Mailbox<Report>, _ wakeup: Wakeup) throws {
        address = place.address
        (self.mailbox, self.wakeup) = (mailbox, wakeup)
        headers = ["Host": place.address.host, "X-API-Key": place.settings.key]
        certificate = try place.certificate.map { try NIOSSLCertificate(bytes: $0, format: .pem) }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .noHostnameVerification
        tls = certificate == nil ? nil : try NIOSSLContext(configuration: configuration)
    }

    /// Ends the thread.
    func end() { group.shutdownGracefully { _ in } }

    /// Opens a connection.
    func connect(_ line: Int) {
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.nanoseconds(Int64(Patience.Syncthing.connection / .nanoseconds(1))))
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls, let certificate { try pipeline.addHandler(Self.guardian(tls, certificate)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(Handler(line, headers) { self.tell($0) })
                }
            }
        opening(bootstrap).flatMap { channel in
            self.isTrusted(channel).map { (channel, $0) }
        }.whenComplete { result in
            switch result {
            case .success((let channel, true)): self.tell(.opened(line, Pipe(channel: channel)))
            case .success((let channel, false)):
                self.tell(.foreign(line))
                channel.close(promise: nil)
            // It has ended meanwhile; that the connection is closed is told by its handler.
            case .success((let channel, nil)): channel.close(promise: nil)
            case .failure: self.tell(.closed(line))
            }
        }
    }

    /// Whether the one at the other end may have the key; nil if it is gone. With TLS its certificate has said so already.
    private func isTrusted(_ channel: any Channel) -> EventLoopFuture<Bool?> {
        guard tls == nil else { return channel.eventLoop.makeSucceededFuture(true) }
        switch address {
        case .socket: return Listener.isTrusted(peerOf: channel)
        case .port(let port, let host):
            return channel.eventLoop.makeSucceededFuture(Listener.isTrusted(port: port, host: host))
        }
    }

    private func opening(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        switch address {
        case .socket(let path): return bootstrap.connect(unixDomainSocketPath: path)
        case .port(let port, let host):
            do {
                return bootstrap.connect(to: try SocketAddress(ipAddress: host, port: Int(port)))
            } catch {
                return group.next().makeFailedFuture(error)
            }
        }
    }

    /// Accepts exactly the certificate that is in Syncthing's directory, which it has signed itself.
    private static func guardian(_ tls: NIOSSLContext, _ own: NIOSSLCertificate) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(
            context: tls, serverHostname: nil,
            customVerificationCallback: { chain, promise in
                promise.succeed(chain.first == own ? .certificateVerified : .failed)
            })
    }

    private func tell(_ report: Report) { if mailbox.put(report) { wakeup.signal() } }

    /// One request at a time on one connection.
    private final class Handler: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = RestRequest
        typealias OutboundOut = HTTPClientRequestPart

        private let line: Int
        private let headers: HTTPHeaders
        private let tell: (Report) -> Void
        private var head: HTTPResponseHead?
        private var body: [UInt8] = []

        init(_ line: Int, _ headers: HTTPHeaders, _ tell: @escaping (Report) -> Void) {
            (self.line, self.headers, self.tell) = (line, headers, tell)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let request = unwrapOutboundIn(data)
            var head = HTTPRequestHead(
                version: .http1_1, method: HTTPMethod(rawValue: request.method.rawValue), uri: request.target,
                headers: headers)
            head.headers.add(name: "Content-Length", value: "\(request.body.utf8.count)")
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if !request.body.isEmpty {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: request.body)))), promise: nil)
            }
            context.write(wrapOutboundOut(.end(nil)), promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let part):
                body += part.readableBytesView
                if body.count > RestTransport.mostBytes { context.close(promise: nil) }
            case .end:
                guard let head else { return }
                let answer = JSON(parsing: body)
                // What cannot be read is no answer: read as nothing it would say that nothing is missing. The errors of
                // Syncthing are plain text, of which only the status counts.
                if answer == nil, !body.isEmpty, head.status == .ok {
                    self.head = nil
                    body = []
                    return context.close(promise: nil)
                }
                body = []
                tell(.answered(line, status: Int(head.status.code), answer ?? .null, staysOpen: head.isKeepAlive))
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            tell(.closed(line))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
