import Support

/// A bar of fixed width, followed by the percentage.
enum ProgressBar {
    /// A bar with a resolution of an eighth of a cell on a terminal, otherwise only the percentage.
    static func text(_ percent: UInt8, width: Int = 12, on terminal: Terminal) -> String {
        // In a pipe, programs read it.
        guard terminal.isInteractive else { return "\(min(percent, 100)) %" }
        let share = Quantity.percent(min(percent, 100))
        let label = String(repeating: " ", count: max(0, 5 - DisplayWidth.of(share))) + share
        return bar(min(percent, 100), width: width, unicode: terminal.hasUnicode) + " " + label
    }

    private static func bar(_ percent: UInt8, width: Int, unicode: Bool) -> String {
        guard unicode else {
            let full = Int(percent) * width / 100
            return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "]"
        }
        let eighths = Int(percent) * width * 8 / 100
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let filled = String(repeating: "█", count: eighths / 8) + partial
        return filled + String(repeating: "░", count: width - filled.count)
    }
}
