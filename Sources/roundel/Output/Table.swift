/// Rows in columns aligned by display width.
struct Table {
    enum Alignment: Sendable { case left, right }

    struct Cell {
        let text: String
        let style: Style

        init(_ text: String, _ style: Style = .plain) {
            self.text = DisplayText.escaped(text)
            self.style = style
        }
    }

    private let alignments: [Alignment]
    private var rows: [[Cell]] = []

    /// - Parameter alignments: One for each column; each row has as many cells.
    init(_ alignments: [Alignment]) { self.alignments = alignments }

    mutating func append(_ cells: [Cell]) { rows.append(cells) }

    /// The lines, without their ends. Columns that are empty in every row are left out. Nothing is cut off except
    /// in the last column, and there only where the terminal is too narrow.
    func lines(on terminal: Terminal, indent: String = "") -> [String] {
        let widths = alignments.indices.map { column in
            rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0
        }
        let shown = alignments.indices.filter { widths[$0] > 0 }
        return rows.map { row in
            var line = indent
            var used = DisplayWidth.of(indent)
            var gap = 0
            for column in shown {
                let cell = row[column]
                let text =
                    column == shown.last ? fit(cell.text, after: used + gap, on: terminal) : cell.text
                let padding = widths[column] - DisplayWidth.of(text)
                let lead = alignments[column] == .right ? padding : 0
                if !text.isEmpty {
                    line += String(repeating: " ", count: gap + lead) + cell.style.apply(to: text, on: terminal)
                    used += gap + lead + DisplayWidth.of(text)
                    gap = 0
                } else {
                    gap += lead
                }
                // Spaces are owed until the next text, so that no line ends in them.
                gap += (alignments[column] == .left ? padding : 0) + 2
            }
            return line
        }
    }

    private func fit(_ text: String, after used: Int, on terminal: Terminal) -> String {
        guard let columns = terminal.columns else { return text }
        return DisplayWidth.truncate(text, to: max(8, columns - used), ellipsis: terminal.ellipsis)
    }
}
