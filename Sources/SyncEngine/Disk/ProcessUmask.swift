import Support
import SystemPackage

/// The permissions that this process leaves out of what it makes.
enum ProcessUmask {
    /// umask(2) could only be asked by setting it, for all threads. It is read once: nobody changes it. Where /proc does
    /// not tell, everything is left out but what is the owner's.
    static let value: UInt32 = {
        guard let status = try? SmallFile.read("/proc/self/status", limit: 64 << 10) else { return 0o077 }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
        let digits = line?.drop { !$0.isNumber }.prefix { $0.isNumber }
        return digits.flatMap { UInt32($0, radix: 8) } ?? 0o077
    }()
}
