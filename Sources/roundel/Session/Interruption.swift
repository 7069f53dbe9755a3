import Glibc

/// Ends a command that watches until it is interrupted.
enum Interruption {
    /// Makes SIGINT and SIGTERM end the process with "done". Leaving the bus ends every observation, and each line is
    /// written immediately, so nothing else needs to be finished.
    static func endsCommand() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in _exit(0) }
        }
    }
}
