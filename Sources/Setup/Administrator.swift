internal import Support

/// Commands that run as root.
package enum Administrator {
    /// The words of a command that runs another one as root, with a program that this machine has.
    /// - Parameter isInstalled: Whether a program is in PATH.
    package static func command(_ words: [String], isInstalled: (String) -> Bool) -> [String] {
        if isInstalled("sudo") { return ["sudo"] + words }
        if isInstalled("pkexec") { return ["pkexec"] + words }
        return ["su", "-c", text(words)]
    }

    /// The command as text for a shell. Words that begin with a dash are this program's own options, never file names.
    package static func text(_ command: [String]) -> String {
        command.map { $0.hasPrefix("-") ? $0 : ShellWord.quoted($0) }.joined(separator: " ")
    }
}
