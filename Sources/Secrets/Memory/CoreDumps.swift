internal import CLinux
internal import Glibc

/// Core dumps of this process.
package enum CoreDumps {
    /// Disables core dumps from now on, and thereby access of other programs of the same user to this process. Copies
    /// of a secret, such as the header of a request, are in memory that ``SecretBytes`` does not own.
    ///
    /// The kernel then makes root the owner of the process' files below `/proc`. The process can still read its own,
    /// except for the few that require the right to trace it, such as `/proc/self/environ`.
    package static func forbid() { _ = clinux_forbid_core_dumps() }

    /// Excludes memory that this process has written from core dumps from now on (core(5), `coredump_filter`).
    ///
    /// Unlike ``forbid()``, this does not change the owner of the process' files below `/proc`, because other programs
    /// check there that it is not confined. If the kernel makes no core dumps, nothing needs to be done.
    package static func leaveOutMemory() {
        let file = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "0", 1)
        close(file)
    }
}
