import Glibc
import Support

/// A decision that the user makes at a terminal.
enum Consent {
    /// Whether the user can be asked.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && Console().terminal.isInteractive }

    /// Asks; false for every answer but y and yes.
    /// - Parameter question: It ends in `[y/N]`.
    static func isGiven(_ question: String) -> Bool {
        Console.ask(DisplayText.escaped(question) + " ")
        return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }
}
