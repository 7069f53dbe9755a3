extension Patience {
    /// Calls over D-Bus in general.
    package enum Bus {
        /// For the reply to a call that sets no limit of its own; then the call fails.
        package static let reply = limit(.seconds(25))
    }

    /// Whatever ended and is started again, or failed and is tried again (`BackOff`).
    package enum Restart {
        /// Before the first attempt; each further pause is twice as long.
        package static let first = pause(.seconds(1))
        /// The longest pause between two attempts.
        package static let longest = pause(.seconds(300))
        /// What has run for this long counts as healthy: the pauses start again at the first one.
        package static let healthyLife = pause(.seconds(60))
    }

    /// The watcher of directories.
    package enum Watching {
        /// For the second half of a rename, which one system call queues with the first; then the directory counts as
        /// moved out of the watched area.
        package static let secondHalf = limit(.milliseconds(20))
        /// For a path on a file system that may never respond; then the path is used as it is spelled.
        package static let path = limit(.seconds(2))
        /// A burst of changes is reported when nothing was added for this long.
        package static let quiet = pause(.milliseconds(100))
        /// A burst is reported this long after its first change even if it continues.
        package static let longestBurst = pause(.seconds(1))
    }

    /// The desktop's secret service.
    package enum Secrets {
        /// For the reply to one call, without the user's time; then the service counts as silent.
        package static let reply = limit(.seconds(25))
        /// For the user's answer to a prompt, for example to unlock the keyring; then the prompt is closed.
        package static let user = limit(.seconds(300))
    }
}
