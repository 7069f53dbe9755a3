internal import CLinux

/// Core dumps of this process.
package enum CoreDumps {
    /// Forbids them from now on, and with them that other programs of the same user look into this process: copies of a
    /// secret, such as the header of a request, lie in memory that ``SecretBytes`` does not own.
    ///
    /// The kernel then gives the process' files below `/proc` to root; the process reads its own nonetheless, except for
    /// the few that need the right to trace it, such as `/proc/self/environ`.
    package static func forbid() { _ = clinux_forbid_core_dumps() }
}
