internal import CLinux
internal import Glibc

/// Core dumps of this process.
package enum CoreDumps {
    /// Disables core dumps from now on, and thereby access of other programs of the same user to this process.
    ///
    /// The kernel then makes root the owner of the process' files below `/proc`, so that other programs take it for one
    /// in a sandbox. The process can still read its own, except for the few that require the right to trace it, such as
    /// `/proc/self/environ`.
    package static func forbid() { _ = clinux_allow_core_dumps(0) }

    /// Takes ``forbid()`` back, when no secret is needed any more.
    package static func permit() { _ = clinux_allow_core_dumps(1) }

    /// Excludes memory that this process has written from core dumps from now on (core(5), `coredump_filter`). Copies of
    /// a secret, such as the header of a request, are in memory that ``SecretBytes`` does not own.
    ///
    /// Unlike ``forbid()``, this does not change the owner of the process' files below `/proc`: other programs check
    /// there that it is not in a sandbox. If the kernel makes no core dumps, nothing needs to be done.
    package static func leaveOutMemory() {
        let file = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "0", 1)
        close(file)
    }
}
