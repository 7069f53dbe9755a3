/// Some lines at the end of a terminal that are drawn over again (ECMA-48: cursor up, erase in page). Lines that are
/// too long are cut off by the terminal (DEC private mode 7), so that each takes one row.
struct LiveBlock {
    private let console: Console
    private var height = 0

    init(_ console: Console) { self.console = console }

    /// Puts `lines` in the place of those that were drawn last.
    mutating func draw(_ lines: [String]) {
        // What has scrolled out of the window cannot be drawn over.
        let lines = Array(lines.prefix(max(1, (console.terminal.rows ?? 24) - 1)))
        let back = height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
        guard !lines.isEmpty || height > 0 else { return }
        console.write("\u{1B}[?7l" + back + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h")
        height = lines.count
    }
}
