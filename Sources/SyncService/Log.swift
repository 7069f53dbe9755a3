internal import Glibc

/// How much a log line matters, with the number that the journal reads from its prefix (sd-daemon(3)).
enum LogPriority: Int {
    case error = 3
    case warning = 4
    case info = 6
}

/// Writes one line to the standard error, prefixed for the journal.
///
/// Line breaks inside the text are made visible, so that no file name can forge a line.
func log(_ priority: LogPriority, _ text: String) {
    var line: [UInt8] = Array("<\(priority.rawValue)>roundel-worker: ".utf8)
    for byte in text.utf8 { line.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte) }
    line.append(UInt8(ascii: "\n"))
    line.withUnsafeBytes { bytes in
        // A log that cannot be written is nothing that the worker could mend or report elsewhere.
        _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
}
