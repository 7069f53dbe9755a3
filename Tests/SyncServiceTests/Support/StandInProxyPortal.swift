import DBus
import Synchronization

/// The desktop's portal as far as it says which proxies lead to a server, on a bus of a test's own and a thread of its own.
final class StandInProxyPortal: Sendable {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let monitor = "org.freedesktop.portal.NetworkMonitor"

    private let connection: AsyncConnection
    private let state: Mutex<(answer: [String]?, asked: [String])>

    /// - Parameter answer: What it answers; nil if it never does.
    init(on address: BusAddress, answer: [String]?) async throws {
        connection = try await AsyncConnection.open(address)
        state = Mutex((answer, []))
        try await connection.perform { [self] bus in
            // Of this thread alone.
            nonisolated(unsafe) var unanswered: [MethodCall] = []
            let lookup = Interface.Method("Lookup", in: [("uri", "s")], out: [("proxies", "as")]) { call in
                var reader = call.reader
                let uri = try reader.readString()
                let answer = self.state.withLock { state in
                    state.asked.append(uri)
                    return state.answer
                }
                guard let answer else { return unanswered.append(call) }
                call.reply { try $0.append(strings: answer) }
            }
            _ = try bus.export(Interface("org.freedesktop.portal.ProxyResolver", methods: [lookup]), at: Self.path)
        }
    }

    /// What it was asked about.
    var asked: [String] { state.withLock { $0.asked } }

    func answer(with answer: [String]?) { state.withLock { $0.answer = answer } }

    func begin() async throws { _ = try await connection.requestName(Self.name) }

    func end() async throws { try await connection.perform { $0.releaseName(Self.name) } }

    /// Tells that the network is another one.
    func tellOfAnotherNetwork() async throws {
        try await connection.perform { try $0.emit(Self.path, Self.monitor, "changed") }
    }
}
