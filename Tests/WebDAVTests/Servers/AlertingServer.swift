import Dispatch
import Glibc
import RemoteSupport
import TestSupport

/// A server that ends every encrypted connection with one of TLS's alerts, before anything is said.
final class AlertingServer: Sendable {
    let address: String
    private let listener: Int32

    /// - Parameter alert: Its number (RFC 8446, section 6).
    init(_ alert: UInt8) throws {
        let (descriptor, port) = try Loopback.bound()
        listener = descriptor
        address = "https://127.0.0.1:\(port)/"
        guard listen(descriptor, 16) == 0 else { throw Failure("listen: \(errno)") }
        DispatchQueue(label: "alerting-server").async {
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0 { return }
                var hello = [UInt8](repeating: 0, count: 4_096)
                _ = read(connection, &hello, hello.count)
                // A record with an alert of TLS 1.2, two bytes long, of which the first says that it is fatal.
                let record: [UInt8] = [21, 3, 3, 0, 2, 2, alert]
                send(connection, record, record.count, Int32(MSG_NOSIGNAL))
                shutdown(connection, Int32(SHUT_WR))
                // A connection that is closed before all of it was read would be reset, and the alert lost.
                while read(connection, &hello, hello.count) > 0 {}
                close(connection)
            }
        }
    }

    deinit {
        // Ends accept(2), which close(2) alone does not.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
