import CLinux
import Glibc

/// What the place that a command writes to can show.
struct Terminal: Sendable, Equatable {
    /// A person is watching: progress bars and redrawing make sense.
    var isInteractive: Bool
    /// Colours are understood and wanted (<https://no-color.org>).
    var hasColour: Bool
    /// Characters outside ASCII are understood.
    var hasUnicode: Bool
    /// The width in columns; without a limit where nobody is watching, so that nothing is cut off in a pipe.
    var columns: Int?
    /// The height in lines, where it is known.
    var rows: Int?

    /// A file or a pipe.
    static let plain = Terminal(isInteractive: false, hasColour: false, hasUnicode: true, columns: nil)

    /// Judges by the descriptor and the environment.
    /// - Parameter environment: Gives the value of a variable, or nil where it is not set.
    init(isTerminal: Bool, windowColumns: Int?, environment: (String) -> String?) {
        let dumb = environment("TERM").map { $0 == "dumb" } ?? true
        isInteractive = isTerminal && !dumb
        hasColour = isInteractive && (environment("NO_COLOR") ?? "").isEmpty
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let charset = locale.lowercased()
        // A pipe or a file keeps the bytes; only a terminal can fail to show them.
        hasUnicode = !isTerminal || charset.contains("utf-8") || charset.contains("utf8")
        let given = environment("COLUMNS").flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        columns = isTerminal ? given ?? windowColumns ?? 80 : nil
    }

    init(isInteractive: Bool, hasColour: Bool, hasUnicode: Bool, columns: Int?) {
        self.isInteractive = isInteractive
        self.hasColour = hasColour
        self.hasUnicode = hasUnicode
        self.columns = columns
    }

    /// The terminal, pipe or file behind a descriptor of this process.
    static func attached(to descriptor: Int32) -> Terminal {
        let isTerminal = isatty(descriptor) == 1
        var size = winsize()
        let known = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        var terminal = Terminal(isTerminal: isTerminal, windowColumns: known ? Int(size.ws_col) : nil) { name in
            Environment.value(of: name)
        }
        terminal.rows = known && size.ws_row > 0 ? Int(size.ws_row) : nil
        return terminal
    }

    /// The characters that stand for "cut off here".
    var ellipsis: String { hasUnicode ? "…" : "..." }
}

/// The variables of this process.
enum Environment {
    /// The value as text; a value that is not UTF-8 counts as not set.
    static func value(of name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        return String(validatingCString: value)
    }

    /// The value as bytes.
    static func bytes(of name: String) -> [UInt8]? {
        guard let value = getenv(name) else { return nil }
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
