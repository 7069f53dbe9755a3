internal import Glibc

extension DBusError {
    /// The error for a failed system call: what was attempted, and the system's reason from `errno`.
    static func system(_ attempt: String, _ code: Int32 = errno) -> DBusError {
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return .failed("\(attempt): \(reason).")
    }
}
