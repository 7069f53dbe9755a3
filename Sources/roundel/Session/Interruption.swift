import Glibc

/// The end of a command that watches until it is told to stop.
enum Interruption {
    /// Lets SIGINT and SIGTERM end the process with "done". Leaving the bus ends every observation, and each line
    /// was written when it was made, so that there is nothing else to finish.
    static func endsCommand() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in _exit(0) }
        }
    }
}
