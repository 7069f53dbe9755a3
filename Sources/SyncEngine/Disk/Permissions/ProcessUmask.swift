import Support
import SystemPackage

/// The permissions that this process removes from what it creates.
enum ProcessUmask {
    /// umask(2) can only be read by setting it, for all threads. It is read once from /proc, since nothing changes it.
    /// If /proc does not have it, only the owner gets permissions.
    static let value: UInt32 = {
        guard let status = try? SmallFile.read("/proc/self/status", limit: 64 << 10) else { return 0o077 }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        let digits = line?.drop { !$0.isNumber }.prefix { $0.isNumber }
        return digits.flatMap { UInt32($0, radix: 8) } ?? 0o077
    }()
}
