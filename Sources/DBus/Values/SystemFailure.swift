internal import Glibc

extension DBusError {
    /// A system call failed: what was tried, and the system's own reason from `errno`.
    static func system(_ attempt: String, _ code: Int32 = errno) -> DBusError {
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return .failed("\(attempt): \(reason).")
    }
}
