/// A file in the syntax of desktop entries: groups, `Key=Value` lines, localised keys and comments.
///
/// Follows the Desktop Entry Specification, "Basic format of the file" and "Localized values for keys". Other lines are
/// ignored, so that a manifest written for a later version still loads.
struct KeyFile {
    private var groups: [String: [String: String]] = [:]

    init(parsing text: String) {
        var group: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
            if line.utf8.first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") {
                let name = String(line.dropFirst().dropLast())
                group = name
                groups[name] = groups[name] ?? [:]
            } else if let group, let equals = line.firstIndex(of: "=") {
                let key = String(line[..<equals].trimmed)
                let value = String(line[line.index(after: equals)...].trimmed)
                if !key.isEmpty { groups[group, default: [:]][key] = value }
            }
        }
    }

    /// The names of all groups, in no particular order.
    var groupNames: some Collection<String> { groups.keys }

    /// The value of a string key with its escapes (`\s \n \t \r \\`) resolved.
    func string(_ key: String, in group: String) -> String? {
        groups[group]?[key].map(Self.unescaped)
    }

    /// The value of a localised key: the best match of `locales`, otherwise the plain key.
    func localized(_ key: String, in group: String, locales: [String]) -> String? {
        Locales.best(of: locales) { groups[group]?["\(key)[\($0)]"] }.map(Self.unescaped) ?? string(key, in: group)
    }

    /// The value of a list key, whose items end in semicolons.
    func list(_ key: String, in group: String) -> [String] {
        guard let text = groups[group]?[key] else { return [] }
        return text.split(separator: ";", omittingEmptySubsequences: true).map { Self.unescaped(String($0.trimmed)) }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var result = ""
        var escaped = false
        for character in text.unicodeScalars {
            if escaped {
                switch character {
                case "s": result.append(" ")
                case "n": result.append("\n")
                case "t": result.append("\t")
                case "r": result.append("\r")
                default: result.unicodeScalars.append(character)
                }
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else {
                result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension StringProtocol {
    /// The text without blanks and carriage returns at either end.
    fileprivate var trimmed: SubSequence {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" || character.isNewline }
        guard let start = firstIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        guard let end = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        return self[start...end]
    }
}
