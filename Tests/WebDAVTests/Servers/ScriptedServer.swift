import Dispatch
import Glibc
import Synchronization
import TestSupport

/// A server that says what a test wants, whatever it is asked; one request on each connection.
final class ScriptedServer: Sendable {
    /// One thing that it does.
    enum Step: Sendable {
        /// Sends this.
        case send(String)
        /// Sends this again and again, until nobody listens.
        case repeatForever(String, pauseMilliseconds: UInt32)
        /// Neither sends anything nor closes.
        case beSilent
    }

    let port: UInt16
    var address: String { "http://127.0.0.1:\(port)/" }
    private let listener: Int32
    private let heard = Mutex<[String]>([])
    private let isOver = Mutex(false)

    /// The heads of all requests.
    var requests: [String] { heard.withLock { $0 } }

    /// Does all of it on each connection.
    convenience init(_ steps: [Step]) throws { try self.init { _ in steps } }

    /// Does one after the other, each on a connection of its own.
    convenience init(inTurn steps: [Step]) throws {
        try self.init { number in number < steps.count ? [steps[number]] : [] }
    }

    /// - Parameter script: What it does on a connection, by its number.
    private init(_ script: @escaping @Sendable (Int) -> [Step]) throws {
        (listener, port) = try Loopback.bound()
        guard listen(listener, 16) == 0 else { throw Failure("listen: \(errno)") }
        let listener = listener
        DispatchQueue(label: "scripted-server").async { [weak self] in
            for number in 0... {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                DispatchQueue(label: "scripted-connection").async { [weak self] in
                    defer { close(connection) }
                    self?.hear(connection)
                    for step in script(number) { Self.play(step, on: connection) { self == nil } }
                }
            }
        }
    }

    deinit {
        // Ends accept(2), which close(2) alone does not.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// An answer with a length.
    static func answer(_ status: String, _ headers: [String] = [], _ body: String = "") -> Step {
        let lines =
            ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "Connection: close", "", body]
        return .send(lines.joined(separator: "\r\n"))
    }

    private func hear(_ connection: Int32) {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains("\r\n\r\n") {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        heard.withLock { $0.append(text) }
    }

    private static func play(_ step: Step, on connection: Int32, isOver: () -> Bool) {
        switch step {
        case .send(let text): send(text, on: connection)
        case .repeatForever(let text, let pause):
            while !isOver(), send(text, on: connection) { usleep(pause * 1_000) }
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
