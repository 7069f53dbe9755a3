internal import Glibc

/// The priority of a log line, with the number that the journal reads from its prefix (sd-daemon(3)).
package enum LogPriority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
}

/// The name of this program without its directory.
private let programName = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "roundel"

/// Whether debug messages are logged: `ROUNDEL_LOG=debug`.
private let isDebugging = ProcessEnvironment.text("ROUNDEL_LOG") == "debug"

/// Writes one line to standard error, with the journal's prefix. Lines of priority `debug` are written only with
/// `ROUNDEL_LOG=debug` in the environment; otherwise their text is not even composed.
///
/// Line breaks in the text are made visible, so that no file name or argument from the bus can forge a line.
package func log(_ priority: LogPriority, _ text: @autoclosure () -> String) {
    if priority == .debug && !isDebugging { return }
    var line: [UInt8] = Array("<\(priority.rawValue)>\(programName): ".utf8)
    for byte in text().utf8 { line.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte) }
    line.append(UInt8(ascii: "\n"))
    line.withUnsafeBytes { bytes in
        // If the log cannot be written, the program cannot fix that or report it anywhere else.
        _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
}
