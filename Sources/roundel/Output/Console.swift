import Glibc
import Support

/// Writes the output of a command. Every call writes immediately, so that the reader of a pipe sees each line at once
/// and nothing is lost if the command is interrupted.
struct Console: Sendable {
    let terminal: Terminal

    init() { terminal = Terminal.attached(to: STDOUT_FILENO) }

    /// Writes one line to standard output.
    func print(_ line: String) { Console.write(line + "\n", to: STDOUT_FILENO) }

    /// Writes several lines to standard output at once.
    func print(lines: [String]) {
        guard !lines.isEmpty else { return }
        Console.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }

    /// Writes text without a line end.
    func write(_ text: String) { Console.write(text, to: STDOUT_FILENO) }

    /// Writes one JSON document on a line of its own.
    func print(_ json: JSON) { print(json.text) }

    /// Whether this process was asked for JSON, which its errors are then as well.
    private static let writesJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")

    /// Writes an error to standard error, for the user or for a program.
    static func complain(_ error: any Error) {
        let sentence = ErrorSentence.of(error)
        complain(sentence, ErrorReport.error(ErrorCode.word(of: error), sentence, ErrorReport.facts(of: error)))
    }

    /// Writes to standard error what the user should know beside the result.
    static func complain(_ sentence: String) { complain(sentence, ErrorReport.notice(sentence)) }

    private static func complain(_ sentence: String, _ json: JSON) {
        write((writesJSON ? json.text : "roundel: " + DisplayText.escaped(sentence)) + "\n", to: STDERR_FILENO)
    }

    /// Writes that the arguments are not valid to standard error.
    ///
    /// - Parameters:
    ///   - message: What is wrong with them.
    ///   - text: The same with the usage, in several lines.
    static func complain(ofUsage message: String, lines text: String, quoting arguments: [String]) {
        guard writesJSON else { return complain(lines: text, quoting: arguments) }
        write(ErrorReport.error(ErrorCode.usage.rawValue, message).text + "\n", to: STDERR_FILENO)
    }

    /// Writes a text of several lines to standard error, which may quote arguments. These may be any file names, which must
    /// neither control the terminal nor look like lines of the text.
    private static func complain(lines text: String, quoting arguments: [String]) {
        var text = text
        for argument in arguments where argument.unicodeScalars.contains(where: DisplayText.needsEscape) {
            text = text.replacing(argument, with: DisplayText.escaped(argument))
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        write(lines.map { DisplayText.escaped(String($0)) }.joined(separator: "\n") + "\n", to: STDERR_FILENO)
    }

    /// Prompts the user on standard error, because standard output is for the results of the command.
    static func ask(_ prompt: String) { write(prompt, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EPIPE {
                // libdbus ignores SIGPIPE for the process. Here, a closed pipe ends the command as usual.
                signal(SIGPIPE, SIG_DFL)
                raise(SIGPIPE)
                return
            } else if errno != EINTR {
                return
            }
        }
    }
}
