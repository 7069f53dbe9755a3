import Dispatch
import Glibc
import Synchronization
import TestSupport

/// A server that says what a test wants, whatever it is asked; one request on each connection, unless it hears another.
package final class ScriptedServer: Sendable {
    /// One thing that it does.
    package enum Step: Sendable {
        /// Sends this.
        case send(String)
        /// Sends this again and again, until nobody listens.
        case repeatForever(String, pauseMilliseconds: UInt32)
        /// Neither sends anything nor closes.
        case beSilent
        /// Waits for another request on the connection, which counts.
        case hear
        /// Waits until this is so, but not for ever.
        case await(@Sendable () -> Bool)
    }

    /// How long it waits for something that a test awaits.
    private static let patience = Duration.seconds(60)

    package let port: UInt16
    package var address: String { "http://127.0.0.1:\(port)/" }
    private let listener: Int32
    private let heard = Mutex<[String]>([])
    private let isOver = Mutex(false)

    /// All requests, with their bodies where these are short.
    package var requests: [String] { heard.withLock { $0 } }

    /// Does all of it on each connection.
    package convenience init(_ steps: [Step]) throws { try self.init { _, _ in steps } }

    /// Does one after the other, each for a request on a connection of its own.
    package convenience init(inTurn steps: [Step]) throws {
        try self.init { number, _ in number < steps.count ? [steps[number]] : [] }
    }

    /// Does for each request what it calls for: some are made at the same time, in either order.
    package convenience init(_ steps: @escaping @Sendable (String) -> [Step]) throws {
        try self.init { _, request in steps(request) }
    }

    /// - Parameter script: What it does for a request, by its number and text. A connection on which nothing is asked has none:
    ///   clients open some in advance.
    private init(_ script: @escaping @Sendable (Int, String) -> [Step]) throws {
        (listener, port) = try Loopback.bound()
        guard listen(listener, 16) == 0 else { throw Failure("listen: \(errno)") }
        let listener = listener
        DispatchQueue(label: "scripted-server").async { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                DispatchQueue(label: "scripted-connection").async { [weak self] in
                    defer { Self.end(connection) }
                    guard let (number, request) = self?.hear(connection) else { return }
                    let hear = { [weak self] in _ = self?.hear(connection) }
                    for step in script(number, request) {
                        Self.play(step, on: connection, hear: hear) { self == nil }
                    }
                }
            }
        }
    }

    deinit {
        // Ends accept(2), which close(2) alone does not.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// An answer with a length, after which the connection ends or may be used again.
    package static func answer(
        _ status: String, _ headers: [String] = [], _ body: String = "", keepsOpen: Bool = false
    ) -> Step {
        let lines =
            ["HTTP/1.1 \(status)"] + headers
            + ["Content-Length: \(body.utf8.count)", "Connection: \(keepsOpen ? "keep-alive" : "close")", "", body]
        return .send(lines.joined(separator: "\r\n"))
    }

    /// The number of the request that is sent on a connection, and its text. Its body may come later than its head.
    private func hear(_ connection: Int32) -> (number: Int, request: String)? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !Self.isWhole(bytes) {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        let request = String(decoding: bytes, as: UTF8.self)
        return heard.withLock { heard in
            heard.append(request)
            return (heard.count - 1, request)
        }
    }

    /// Whether these are a head and the body that it tells of; a long body is not waited for.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let field = "content-length:"
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        let told = lines.first { $0.hasPrefix(field) }?.dropFirst(field.count).filter { !$0.isWhitespace }
        let length = told.flatMap { Int($0) } ?? 0
        return length > 65_536 || bytes.count - end.upperBound >= length
    }

    /// Closes a connection when the other side has, but for what is still on its way from there: a body that nobody has
    /// read would have the connection reset, and the answer lost with it.
    private static func end(_ connection: Int32) {
        shutdown(connection, Int32(SHUT_WR))
        var patience = timeval(tv_sec: 240, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(connection, &buffer, buffer.count) > 0 {}
        close(connection)
    }

    private static func play(_ step: Step, on connection: Int32, hear: () -> Void, isOver: () -> Bool) {
        switch step {
        case .hear: hear()
        case .send(let text): send(text, on: connection)
        case .repeatForever(let text, let pause):
            while !isOver(), send(text, on: connection) { usleep(pause * 1_000) }
        case .await(let isSo):
            let end = ContinuousClock.now + patience
            while !isSo(), !isOver(), ContinuousClock.now < end { usleep(1_000) }
        case .beSilent:
            var byte: UInt8 = 0
            // Until the other side closes.
            while !isOver(), read(connection, &byte, 1) > 0 {}
        }
    }

    @discardableResult
    private static func send(_ text: String, on connection: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
