/// Some lines at the end of a terminal that are redrawn (ECMA-48: cursor up, erase in page). The terminal truncates
/// lines that are too long (DEC private mode 7), so that each takes one row.
struct LiveBlock {
    private let console: Console
    private var height = 0

    init(_ console: Console) { self.console = console }

    /// Replaces the lines drawn last by `lines`.
    mutating func draw(_ lines: [String]) {
        // Lines that scrolled out of the window cannot be redrawn.
        let lines = Array(lines.prefix(max(1, (console.terminal.rows ?? 24) - 1)))
        let back = height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
        guard !lines.isEmpty || height > 0 else { return }
        console.write("\u{1B}[?7l" + back + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h")
        height = lines.count
    }
}
