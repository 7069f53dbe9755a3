/// Some lines at the end of a terminal that are drawn over again (ECMA-48: cursor up, erase in page).
struct LiveBlock {
    private let console: Console
    private var height = 0

    init(_ console: Console) { self.console = console }

    /// Puts `lines` in the place of those that were drawn last.
    mutating func draw(_ lines: [String]) {
        let back = height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
        console.write(back + lines.map { $0 + "\n" }.joined())
        height = lines.count
    }
}
