import Glibc

/// Runs commands as root.
enum Administrator {
    /// The words of a command that runs another one as root, with a program that this machine has.
    /// - Parameter isInstalled: Whether a program is in PATH.
    static func command(_ words: [String], isInstalled: (String) -> Bool) -> [String] {
        if isInstalled("sudo") { return ["sudo"] + words }
        if isInstalled("pkexec") { return ["pkexec"] + words }
        return ["su", "-c", text(words)]
    }

    /// The command as text for a shell. Words that begin with a dash are this program's own options, never file names.
    static func text(_ command: [String]) -> String {
        command.map { $0.hasPrefix("-") ? $0 : ShellWord.quoted($0) }.joined(separator: " ")
    }

    /// Asks on the terminal whether to run the command now, and runs it.
    /// - Returns: Whether it succeeded; nil if the user cannot be asked or declined.
    static func offer(_ command: [String], because reason: String, on console: Console) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, console.terminal.isInteractive else { return nil }
        console.print(DisplayText.escaped(reason))
        console.print("  " + DisplayText.escaped(text(command)))
        console.write(Text.runNow + " ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { return nil }
        return ChildProgram.run(command) == 0
    }
}
