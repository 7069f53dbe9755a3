import Support

/// Rows whose columns are aligned by display width.
struct Table {
    enum Alignment: Sendable { case left, right }

    struct Cell {
        let text: String
        let style: Style
        /// Whether it loses its middle where there is no room for it.
        private let isPath: Bool

        init(_ text: String, _ style: Style = .plain, isPath: Bool = false) {
            self.text = DisplayText.escaped(text)
            self.style = style
            self.isPath = isPath
        }

        /// The text in this many columns.
        fileprivate func text(in columns: Int, on terminal: Terminal) -> String {
            isPath
                ? DisplayWidth.truncateMiddle(text, to: columns, ellipsis: terminal.ellipsis)
                : DisplayWidth.truncate(text, to: columns, ellipsis: terminal.ellipsis)
        }
    }

    private let alignments: [Alignment]
    private let flexible: Int
    private var rows: [[Cell]] = []

    /// - Parameters:
    ///   - alignments: One for each column; each row has as many cells.
    ///   - flexible: The column that is truncated if the terminal is too narrow; by default the last.
    init(_ alignments: [Alignment], flexible: Int? = nil) {
        self.alignments = alignments
        self.flexible = flexible ?? alignments.count - 1
    }

    mutating func append(_ cells: [Cell]) { rows.append(cells) }

    /// The lines without line ends. Columns that are empty in every row are left out.
    func lines(on terminal: Terminal, indent: String = "") -> [String] {
        var widths = alignments.indices.map { column in
            rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0
        }
        let shown = alignments.indices.filter { widths[$0] > 0 }
        let total = DisplayWidth.of(indent) + shown.map { widths[$0] }.reduce(0, +) + 2 * max(0, shown.count - 1)
        if let columns = terminal.columns, total > columns {
            widths[flexible] = min(widths[flexible], max(8, widths[flexible] - (total - columns)))
        }
        return rows.map { indent + line($0, shown: shown, widths: widths, on: terminal) }
    }

    private func line(_ row: [Cell], shown: [Int], widths: [Int], on terminal: Terminal) -> String {
        var line = ""
        // Spaces are written only before the next text, so that no line ends with spaces.
        var gap = 0
        for column in shown {
            let text = row[column].text(in: widths[column], on: terminal)
            let padding = widths[column] - DisplayWidth.of(text)
            if alignments[column] == .right { gap += padding }
            if !text.isEmpty {
                line += String(repeating: " ", count: gap) + row[column].style.apply(to: text, on: terminal)
                gap = 0
            }
            gap += (alignments[column] == .left ? padding : 0) + 2
        }
        return line
    }
}
