import CLinux
import Glibc
import Support

/// The capabilities of the place to which a command writes.
struct Terminal: Sendable, Equatable {
    /// The output is a terminal that a user watches: progress bars and redrawing make sense.
    var isInteractive: Bool
    /// Colours are supported and wanted (<https://no-color.org>).
    var hasColour: Bool
    /// Characters outside ASCII are supported.
    var hasUnicode: Bool
    /// The width in columns; nil, which means no limit, for a file or pipe, so that nothing is truncated there.
    var columns: Int?
    /// The height in lines, if known.
    var rows: Int?

    /// A file or a pipe.
    static let plain = Terminal(isInteractive: false, hasColour: false, hasUnicode: true, columns: nil)

    /// Determines the capabilities from the descriptor and the environment.
    /// - Parameter environment: Returns the value of a variable, or nil if it is not set.
    init(isTerminal: Bool, windowColumns: Int?, environment: (String) -> String?) {
        let dumb = environment("TERM").map { $0 == "dumb" } ?? true
        isInteractive = isTerminal && !dumb
        hasColour = isInteractive && (environment("NO_COLOR") ?? "").isEmpty
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let charset = locale.lowercased()
        // A pipe or a file keeps all bytes; only a terminal may be unable to show them.
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
        var terminal = Terminal(
            isTerminal: isTerminal, windowColumns: known ? Int(size.ws_col) : nil, environment: ProcessEnvironment.valid
        )
        terminal.rows = known && size.ws_row > 0 ? Int(size.ws_row) : nil
        return terminal
    }

    /// The characters that mark truncated text.
    var ellipsis: String { hasUnicode ? "…" : "..." }
}
