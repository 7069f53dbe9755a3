import Glibc

/// Running a command as root.
enum Administrator {
    /// The words that run a command as root, with what this machine has for that.
    /// - Parameter isInstalled: Whether a program is in PATH.
    static func command(_ words: [String], isInstalled: (String) -> Bool) -> [String] {
        if isInstalled("sudo") { return ["sudo"] + words }
        if isInstalled("pkexec") { return ["pkexec"] + words }
        return ["su", "-c", text(words)]
    }

    /// The same for a person to paste into a shell. What begins with a dash is an option of ours, and no name of a file.
    static func text(_ command: [String]) -> String {
        command.map { $0.hasPrefix("-") ? $0 : ShellWord.quoted($0) }.joined(separator: " ")
    }

    /// Asks on the terminal whether the command should be run now, and runs it.
    /// - Returns: whether it was run and ended well; nil where nobody can be asked or the answer was no.
    static func offer(_ command: [String], because reason: String, on console: Console) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, console.terminal.isInteractive else { return nil }
        console.print(DisplayText.escaped(reason))
        console.print("  " + DisplayText.escaped(text(command)))
        console.write(Text.runNow + " ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { return nil }
        return ChildProgram.run(command) == 0
    }
}
