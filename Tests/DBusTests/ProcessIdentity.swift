import Glibc

/// The process that runs the tests.
enum ProcessIdentity {
    static var own: Int32 { getpid() }
}
