internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A client of the library that counts the connections that it opens.
struct CountingClient: Sendable {
    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    let http: HTTPClient
    private let count: Count

    init(_ configuration: HTTPClient.Configuration) {
        let count = Count()
        var configuration = configuration
        configuration.http1_1ConnectionDebugInitializer = { channel in
            count.value.add(1, ordering: .relaxed)
            // Reads one part at a time: little data then waits for its turn under a limit, so the server never sees a
            // connection without progress.
            return channel.setOption(.maxMessagesPerRead, value: 1)
        }
        self.count = count
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// How many connections it has opened so far.
    var opened: Int { count.value.load(ordering: .relaxed) }

    /// No request may be in progress.
    func shutDown() async {
        // It fails only if it was called before.
        try? await http.shutdown()
    }
}
