/// Takes everything out of a line of a log that is not in our own words.
///
/// It does not look for what might be private, of which nobody can make a full list: a word stays only if our own
/// sentences have it. What else there is becomes `<path>`, `<address>`, `<name>` or `<number>`, and so does what is in
/// quotation marks, and the few words between two such places, which are likely to be of the same name.
package struct Redaction: Sendable {
    private let words: Set<Substring>

    /// - Parameter words: The words that stay, as they are spelled.
    package init(words: some Sequence<Substring>) { self.words = Set(words) }

    /// The line with its own words alone, in one line and not longer than ``longest``.
    package func redacted(_ line: String) -> String {
        var pieces = self.pieces(of: line)
        hideNumbers(in: &pieces)
        hideGaps(in: &pieces)
        var shown: [String] = []
        var hidden: Piece?
        for piece in pieces {
            guard case .foreign(let kind) = piece.content else {
                if let before = hidden { shown.append(before.text) }
                hidden = nil
                shown.append(piece.text)
                continue
            }
            guard case .foreign(let before)? = hidden?.content, hidden?.endsClause == false else {
                if let before = hidden { shown.append(before.text) }
                hidden = piece
                continue
            }
            hidden = Piece(.foreign(max(before, kind)), after: piece.after)
        }
        if let before = hidden { shown.append(before.text) }
        return shown.joined(separator: " ")
    }

    /// The number of characters of a line that are looked at.
    static let longest = 2_000
    /// So many of our own words between two foreign ones are taken for a part of the same name.
    private static let widestGap = 3
    /// The longest number that is shown, in digits: a longer one may be that of a telephone or of an account.
    private static let mostDigits = 6

    // MARK: Pieces

    /// What a foreign piece seems to be, the more telling last.
    private enum Foreign: String, Comparable {
        case number, name, address, path

        private var rank: Int {
            switch self {
            case .number: 0
            case .name: 1
            case .address: 2
            case .path: 3
            }
        }

        static func < (one: Foreign, other: Foreign) -> Bool { one.rank < other.rank }
    }

    private enum Content {
        case own(String)
        case number(String)
        case foreign(Foreign)
    }

    private struct Piece {
        var content: Content
        /// The marks that follow it.
        let after: String

        init(_ content: Content, after: String = "") { (self.content, self.after) = (content, after) }

        var endsClause: Bool { after.contains { ":;".contains($0) } }
        var isForeign: Bool { if case .foreign = content { true } else { false } }
        var isNumber: Bool { if case .number = content { true } else { false } }

        var text: String {
            switch content {
            case .own(let text), .number(let text): text + after
            case .foreign(let kind): "<\(kind.rawValue)>" + after
            }
        }
    }

    private func pieces(of line: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = line.prefix(Self.longest)
        while let start = rest.firstIndex(where: { !Self.isBlank($0) }) {
            rest = rest[start...]
            if let closing = Self.quotes[rest[start]] {
                // Without an end, everything is in quotation marks.
                let end = rest.dropFirst().firstIndex(of: closing)
                rest = end.map { rest[rest.index(after: $0)...] } ?? ""
                // What is written together with it is of it, but for marks.
                let joined = rest.prefix { !Self.isBlank($0) && Self.quotes[$0] == nil }
                let isMarks = joined.allSatisfy(Self.marks.contains)
                pieces.append(Piece(.foreign(.name), after: isMarks ? String(joined) : ""))
                rest = rest.dropFirst(joined.count)
                continue
            }
            let word = rest.prefix { !Self.isBlank($0) && ($0 == "'" || Self.quotes[$0] == nil) }
            rest = rest.dropFirst(word.count)
            pieces.append(piece(word))
        }
        return pieces
    }

    private func piece(_ word: Substring) -> Piece {
        let core = word.drop { "([{".contains($0) }
        let end = core.lastIndex { !Self.marks.contains($0) }
        guard let end else {
            return Piece(word.allSatisfy(Self.marks.contains) ? .own(String(word)) : .foreign(.name))
        }
        let text = core[...end]
        let after = String(core[core.index(after: end)...].filter { ",.:;!?".contains($0) })
        if words.contains(text) { return Piece(.own(String(text)), after: after) }
        if Self.isNumber(text) { return Piece(.number(String(text)), after: after) }
        return Piece(.foreign(Self.kind(of: text)), after: after)
    }

    private static let marks = Set(",.:;!?)]}-–—…")
    private static let quotes: [Character: Character] = [
        "“": "”", "„": "“", "\"": "\"", "«": "»", "‘": "’", "‚": "‘", "`": "`", "「": "」", "'": "'",
    ]

    /// Whether a character stands between words; what no person sees does as well.
    private static func isBlank(_ character: Character) -> Bool {
        character.isWhitespace
            || character.unicodeScalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
                case _: false
                }
            }
    }

    /// Whether a word is a number that tells nothing of a person: a few digits, with a fraction and a percent sign at most.
    private static func isNumber(_ word: Substring) -> Bool {
        let number = word.hasSuffix("%") ? word.dropLast() : word
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && number.count <= mostDigits + 1
            && parts.allSatisfy { part in
                !part.isEmpty && part.count <= mostDigits && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    private static func kind(of word: Substring) -> Foreign {
        if word.contains("://") || word.contains("@") { return .address }
        if word.contains("/") || word.contains("\\") || word.hasPrefix("~") { return .path }
        if word.contains(".") || word.contains(":") { return .address }
        return word.allSatisfy { $0.isNumber || "+-,.".contains($0) } ? .number : .name
    }

    // MARK: What stands beside foreign words

    /// Hides a number that follows a foreign word or another number, or that one of these follows.
    private func hideNumbers(in pieces: inout [Piece]) {
        let before = pieces
        func isPart(_ index: Int, _ first: Int) -> Bool {
            before.indices.contains(index) && !before[first].endsClause
                && (before[index].isForeign || before[index].isNumber)
        }
        for index in before.indices where before[index].isNumber {
            if isPart(index + 1, index) || (index > 0 && isPart(index - 1, index - 1)) {
                pieces[index].content = .foreign(.number)
            }
        }
    }

    /// Hides the few words between two foreign pieces of a clause.
    private func hideGaps(in pieces: inout [Piece]) {
        var last: Int?
        for index in pieces.indices {
            if pieces[index].isForeign {
                if let last, index - last - 1 <= Self.widestGap {
                    for hidden in last + 1..<index where index - last > 1 {
                        pieces[hidden].content = .foreign(.name)
                    }
                }
                last = index
            }
            if pieces[index].endsClause { last = nil }
        }
    }
}
