import ArgumentParser
import Support

/// A word in the place of a command that is none.
struct MistypedCommand: Error, Equatable {
    /// What was typed.
    let word: String
    /// The commands before it, with the name of the program.
    let parents: [String]
    /// The command that was probably meant, with those before it.
    let suggestion: String?

    /// Words that other programs use for the same.
    private static let synonyms = [
        "rm": "remove", "delete": "remove", "unlink": "remove", "move": "relocate", "mv": "relocate", "dir": "ls",
        "folders": "list", "info": "why", "explain": "why", "errors": "problems", "log": "activity", "stop": "pause",
        "start": "resume", "continue": "resume", "download": "fetch", "ignore": "exclude", "engines": "providers",
        "install": "setup", "check": "doctor", "diagnose": "doctor", "compare": "verify", "signin": "login",
        "signout": "logout", "bandwidth": "limit", "restore": "trash restore", "undelete": "trash restore",
        "browse": "open", "web": "open", "versions": "history", "keep": "pin",
    ]

    /// Nil if every command in these arguments is one.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        var (command, parents) = (root, [Self.name(of: root)])
        var words = arguments[...]
        // `roundel help COMMAND` is about that command.
        if words.first == "help" { words = words.dropFirst() }
        while let word = words.popFirst() {
            let commands = command.configuration.subcommands
            if commands.isEmpty || word.hasPrefix("-") || word == "help" { return nil }
            guard let next = commands.first(where: { Self.name(of: $0) == word }) else {
                self.init(word, after: parents, among: commands.map(Self.name))
                return
            }
            (command, parents) = (next, parents + [word])
        }
        return nil
    }

    private init(_ word: String, after parents: [String], among commands: [String]) {
        (self.word, self.parents) = (word, parents)
        let before = parents.dropFirst().map { $0 + " " }.joined()
        suggestion = Self.meant(by: word.lowercased(), among: commands).map { before + $0 }
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }

    /// The command that a word is most like; nil if it is like none.
    private static func meant(by word: String, among commands: [String]) -> String? {
        if let synonym = synonyms[word], commands.contains(String(synonym.prefix { $0 != " " })) { return synonym }
        let begun = commands.filter { $0.hasPrefix(word) }
        if word.count > 1, begun.count == 1 { return begun[0] }
        // A short word is like many others.
        let limit = word.count < 4 ? 1 : word.count < 8 ? 2 : 3
        let near = commands.map { (command: $0, distance: EditDistance.between(word, $0)) }
        return near.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.command
    }

    /// The sentence for the user.
    var sentence: String {
        let help = parents.joined(separator: " ") + " --help"
        let typed = (parents.dropFirst() + [word]).joined(separator: " ")
        return suggestion.map { tr("There is no command “{1}”. Did you mean “{2}”?", typed, $0) }
            ?? tr("There is no command “{1}”. See: {2}", typed, help)
    }
}

/// How different two words are.
enum EditDistance {
    /// The smallest number of letters to insert, remove, replace or exchange with their neighbour, which makes one word of
    /// the other.
    static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var best = min(rows[row][column + 1], current[column]) + 1
                best = min(best, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[first.count][second.count]
    }
}
