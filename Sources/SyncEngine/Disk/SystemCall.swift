import Glibc
import SystemPackage

/// The one place where a system call's result becomes a value or an error.
enum SystemCall {
    /// The result of a system call that says failure with -1 and `errno`; repeated when a signal interrupted it.
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
    /// Whether a call failed because this file system does not know it, so that another way must be taken.
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
