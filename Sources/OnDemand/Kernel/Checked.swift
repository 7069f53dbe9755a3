internal import Glibc
internal import SystemPackage

/// The value of a system call that gives a negative one with an error, called again when a signal came between.
@discardableResult
func checked<Value: FixedWidthInteger & SignedInteger>(_ call: () -> Value) throws(Errno) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        let error = Errno(rawValue: errno)
        if error != .interrupted { throw error }
    }
}
