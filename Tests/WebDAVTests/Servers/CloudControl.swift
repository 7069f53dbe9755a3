import Glibc
import RemoteSupport
import TestSupport

/// What tests may ask of our own Nextcloud besides: `Tests/Nextcloud/README.md` has all of it.
struct CloudControl {
    let port: UInt16

    init(_ server: TestServer) throws {
        guard let port = server.address.split(separator: "/")[1].split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            throw Failure("no port in \(server.address)")
        }
        self.port = port
    }

    /// Turns quirks on, or off.
    ///
    /// - Parameter quirks: JSON.
    func set(_ quirks: String) throws { _ = try ask("POST", "quirks", quirks) }

    /// The person agrees to the login in the browser that was begun last.
    func grant() throws { _ = try ask("POST", "grant", "{}") }

    /// Keeps files, ids and tags as they are now.
    func backUp() throws { _ = try ask("POST", "backup", "{}") }

    /// Puts back what was kept. Clients learn of it by the quirk `fingerprint` alone.
    func restore() throws { _ = try ask("POST", "restore", "{}") }

    /// Forgets the requests so far.
    func forgetRequests() throws { _ = try ask("DELETE", "requests") }

    /// The methods and paths of the requests so far, each as `METHOD /path`; paths as they were sent, from the folder on.
    func requests() throws -> [String] {
        let text = try ask("GET", "requests")
        guard let list = text.firstRange(of: "\"requests\": [") else { throw Failure("no requests in \(text)") }
        let entries = text[list.upperBound...].split(separator: "[\"").filter { $0.contains("\", \"") }
        return entries.map { entry in
            let parts = entry.split(separator: "\"")
            let path = parts.count > 2 ? parts[2] : ""
            return "\(parts[0]) /" + path.split(separator: "/").dropFirst(4).joined(separator: "/")
        }
    }

    /// Bytes of bodies that were received, or of files that were sent, since they were forgotten last.
    func bytes(_ direction: Direction) throws -> Int {
        let text = try ask("GET", "requests")
        guard let found = text.firstRange(of: "\"\(direction.rawValue)\": ") else {
            throw Failure("no figure in \(text)")
        }
        return Int(text[found.upperBound...].prefix { $0.isNumber }) ?? -1
    }

    enum Direction: String { case received, sent }

    private func ask(_ method: String, _ place: String, _ body: String = "") throws -> String {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        var name = Loopback.address(port: port)
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let request =
            "\(method) /test/\(place) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard isConnected, write(connection, request, request.utf8.count) == request.utf8.count else {
            throw Failure("the server takes no \(method) \(place): \(errno)")
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(connection, &part, part.count), count > 0 { answer += part[..<count] }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 2"), let end = text.firstRange(of: "\r\n\r\n") else {
            throw Failure("got \(text)")
        }
        return String(text[end.upperBound...])
    }
}
