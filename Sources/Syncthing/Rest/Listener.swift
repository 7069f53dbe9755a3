internal import Glibc
internal import NIOCore

/// Tells whether a socket is one of the person's own programs: whoever else listens where Syncthing should is not given
/// its key.
enum Listener {
    /// Root is trusted as well: it could read the key anyway, and listens for programs that it starts.
    static func isTrusted(_ uid: UInt32) -> Bool { uid == getuid() || uid == 0 }

    /// Whether the programs that take connections at a port of this computer are trusted, as far as the kernel tells; nil
    /// if there is none any more.
    static func isTrusted(port: UInt16, host: String) -> Bool? {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].compactMap(read)
        let owners = owners(port: port, host: host, tables: tables)
        return owners.isEmpty ? nil : owners.allSatisfy(isTrusted)
    }

    /// The owners of the sockets that listen at a port, from the tables of the kernel (proc_net_tcp).
    static func owners(port: UInt16, host: String, tables: [String]) -> [UInt32] {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        let places = Set(places(of: host).map { $0 + suffix })
        return tables.flatMap { table in
            table.split(separator: "\n").compactMap { line -> UInt32? in
                let fields = line.split(separator: " ")
                guard fields.count > 7, fields[3] == "0A", places.contains(String(fields[1])) else { return nil }
                // An owner that cannot be read is nobody that is trusted.
                return UInt32(fields[7]) ?? .max
            }
        }
    }

    /// How the kernel writes the addresses that take connections to one: in words of the processor's order.
    private static func places(of host: String) -> [String] {
        let none = [UInt8](repeating: 0, count: 12)
        let any = none + [0, 0, 0, 0]
        let mapped = none.prefix(10) + [0xFF, 0xFF]
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            let own = withUnsafeBytes(of: four) { Array($0) }
            return [words(own), words([0, 0, 0, 0]), words(any), words(mapped + own), words(mapped + [0, 0, 0, 0])]
        }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return [] }
        return [words(withUnsafeBytes(of: six) { Array($0) }), words(any)]
    }

    private static func words(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            let word = bytes[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            let digits = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&part, 1, part.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }

    /// What SO_PEERCRED gives: `struct ucred`.
    private struct Credentials: Sendable {
        var pid: Int32 = 0
        var uid: UInt32 = .max
        var gid: UInt32 = 0
    }

    /// Whether the program at the other end of a socket in the file system is trusted.
    static func isTrusted(peerOf channel: any Channel) -> EventLoopFuture<Bool?> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(false)
        }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.map { isTrusted($0.uid) }
    }
}
