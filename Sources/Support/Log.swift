internal import Glibc

/// How much a log line matters, with the number that the journal reads from its prefix (sd-daemon(3)).
package enum LogPriority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7
}

/// The name of this program without its folders.
private let programName = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "roundel"

/// Whether the log says what each part decides, for whoever looks for a fault: `ROUNDEL_LOG=debug`.
private let isDebugging = ProcessEnvironment.text("ROUNDEL_LOG") == "debug"

/// Writes one line to the standard error, prefixed for the journal. Lines of priority `debug` are written only where
/// the environment has `ROUNDEL_LOG=debug`; their text is not even composed elsewhere.
///
/// Line breaks inside the text are made visible, so that no file name and no argument from the bus can forge a line.
package func log(_ priority: LogPriority, _ text: @autoclosure () -> String) {
    if priority == .debug && !isDebugging { return }
    var line: [UInt8] = Array("<\(priority.rawValue)>\(programName): ".utf8)
    for byte in text().utf8 { line.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte) }
    line.append(UInt8(ascii: "\n"))
    line.withUnsafeBytes { bytes in
        // A log that cannot be written is nothing that a program could fix or report elsewhere.
        _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
}
