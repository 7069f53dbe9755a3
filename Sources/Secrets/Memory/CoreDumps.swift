internal import CLinux
internal import Glibc

/// Core dumps of this process.
package enum CoreDumps {
    /// Forbids them from now on, and with them that other programs of the same user look into this process: copies of a
    /// secret, such as the header of a request, lie in memory that ``SecretBytes`` does not own.
    ///
    /// The kernel then gives the process' files below `/proc` to root; the process reads its own nonetheless, except for
    /// the few that need the right to trace it, such as `/proc/self/environ`.
    package static func forbid() { _ = clinux_forbid_core_dumps() }

    /// Leaves what this process has written to its memory out of core dumps from now on (core(5), `coredump_filter`).
    ///
    /// Unlike ``forbid()`` it leaves the process' files below `/proc` to its user: whoever must tell it from a confined
    /// program looks there. Where the kernel makes no core dumps, there is nothing to do.
    package static func leaveOutMemory() {
        let file = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "0", 1)
        close(file)
    }
}
