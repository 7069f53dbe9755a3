import Glibc

/// Writes what a command has to say. Every call writes at once, so that a reader of a pipe sees each line as it
/// happens and an interrupted command has lost nothing.
struct Console: Sendable {
    let terminal: Terminal

    init() { terminal = Terminal.attached(to: STDOUT_FILENO) }

    /// Writes one line to standard output.
    func print(_ line: String) { Console.write(line + "\n", to: STDOUT_FILENO) }

    /// Writes many lines to standard output in one go.
    func print(lines: [String]) {
        guard !lines.isEmpty else { return }
        Console.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }

    /// Writes text without a line end.
    func write(_ text: String) { Console.write(text, to: STDOUT_FILENO) }

    /// Writes one JSON document on a line of its own.
    func print(_ json: JSON) { print(json.text) }

    /// Writes a sentence for the person to standard error.
    static func complain(_ sentence: String) {
        write("roundel: " + DisplayText.escaped(sentence) + "\n", to: STDERR_FILENO)
    }

    /// Asks the person for a line, on standard error: standard output is for what the command has to say.
    static func ask(_ prompt: String) { write(prompt, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EPIPE {
                // libdbus ignores SIGPIPE for the process; a reader that left ends the command as usual.
                signal(SIGPIPE, SIG_DFL)
                raise(SIGPIPE)
                return
            } else if errno != EINTR {
                return
            }
        }
    }
}
