import Glibc
import SystemPackage

/// Converts the result of a system call to a value or an error.
enum SystemCall {
    /// The result of a system call that fails with -1 and `errno`; repeats the call if a signal interrupted it.
    @discardableResult
    static func value<Result: FixedWidthInteger & SignedInteger>(
        _ call: () -> Result
    ) throws(Errno) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            let failure = Errno(rawValue: errno)
            if failure != .interrupted { throw failure }
        }
    }
}

extension Errno {
    /// Whether a call failed because this file system does not support it, so that another way must be used.
    var isUnsupported: Bool {
        switch self {
        case .invalidArgument, .noFunction, .notSupported, .notSupportedOnSocket, .notPermitted, .noSuchAddressOrDevice,
            .inappropriateIOCTLForDevice:
            return true
        default:
            return false
        }
    }
}
