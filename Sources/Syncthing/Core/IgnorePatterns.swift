/// The patterns by which Syncthing ignores items, as `/rest/db/ignores` gives them expanded.
///
/// What Syncthing knows it says itself whether it ignores it. An item that was ignored from the beginning is not in its
/// index, like one that it has not seen yet: these are told apart by the patterns.
struct IgnorePatterns: Equatable, Sendable {
    private struct Pattern: Equatable {
        var glob: [UInt8]
        var includes = false
        var foldsCase = false
    }

    private let patterns: [Pattern]

    /// No patterns.
    init() { patterns = [] }

    /// - Parameter expanded: The patterns, the most important first.
    init(expanded: [String]) {
        patterns = expanded.map { text in
            var pattern = Pattern(glob: [])
            var rest = Substring(text)
            while true {
                if rest.hasPrefix("!") {
                    pattern.includes = true
                    rest = rest.dropFirst()
                } else if rest.hasPrefix("(?i)") {
                    pattern.foldsCase = true
                    rest = rest.dropFirst(4)
                } else if rest.hasPrefix("(?d)") {
                    rest = rest.dropFirst(4)
                } else {
                    break
                }
            }
            pattern.glob = Array((pattern.foldsCase ? rest.lowercased() : String(rest)).utf8)
            return pattern
        }
    }

    /// The steps that one question may take. A pattern with many stars needs more for some names than there is time.
    private static let mostSteps = 100_000

    /// Whether a path below the folder is ignored: the first pattern that matches decides. Nil if that takes too long to
    /// find out.
    func ignores(_ path: String) -> Bool? {
        guard !patterns.isEmpty else { return false }
        let exact = Array(path.utf8)
        let folded = Array(path.lowercased().utf8)
        var steps = Self.mostSteps
        let match = patterns.first { Self.matches($0.glob[...], ($0.foldsCase ? folded : exact)[...], &steps) }
        if steps < 0 { return nil }
        return match.map { !$0.includes } ?? false
    }

    /// Names that Syncthing never syncs: its marks and files, and what it is receiving.
    static func isInternal(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if let first = parts.first, [".stfolder", ".stignore", ".stversions"].contains(first) { return true }
        guard let name = parts.last else { return false }
        return name.hasSuffix(".tmp") && (name.hasPrefix(".syncthing.") || name.hasPrefix("~syncthing~"))
    }

    private static let slash = UInt8(ascii: "/")

    /// Matches a glob: `*` and `?` stop at slashes and `**` does not; `[…]` and `{…,…}` are sets.
    /// - Parameter steps: Those that are left; where there are none, the result means nothing.
    private static func matches(_ glob: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>, _ steps: inout Int) -> Bool {
        steps -= 1
        // The search ends as if this were a match, so that nothing else is tried.
        if steps < 0 { return true }
        guard let first = glob.first else { return path.isEmpty }
        let rest = glob.dropFirst()
        switch first {
        case UInt8(ascii: "*"):
            let crosses = rest.first == UInt8(ascii: "*")
            let after = crosses ? rest.drop { $0 == UInt8(ascii: "*") } : rest
            var place = path
            while true {
                if matches(after, place, &steps) { return true }
                guard let byte = place.first, crosses || byte != slash else { return false }
                place = place.dropFirst()
            }
        case UInt8(ascii: "?"):
            guard let byte = path.first, byte != slash else { return false }
            return matches(rest, afterCharacter(path), &steps)
        case UInt8(ascii: "["): return matchesSet(rest, path, &steps)
        case UInt8(ascii: "{"):
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return false }
            return rest[..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).contains {
                matches(($0 + rest[(end + 1)...])[...], path, &steps)
            }
        case UInt8(ascii: "\\"):
            guard let literal = rest.first else { return false }
            return path.first == literal && matches(rest.dropFirst(), path.dropFirst(), &steps)
        default: return path.first == first && matches(rest, path.dropFirst(), &steps)
        }
    }

    /// The path behind its first character, which may be several bytes of UTF-8.
    private static func afterCharacter(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        path.dropFirst().drop { $0 & 0xC0 == 0x80 }
    }

    private static func matchesSet(_ glob: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>, _ steps: inout Int) -> Bool {
        guard let end = glob.firstIndex(of: UInt8(ascii: "]")), let byte = path.first, byte != slash else {
            return false
        }
        var set = glob[..<end]
        let isNegated = set.first == UInt8(ascii: "!") || set.first == UInt8(ascii: "^")
        if isNegated { set = set.dropFirst() }
        var isMember = false
        while let low = set.first {
            set = set.dropFirst()
            if set.first == UInt8(ascii: "-"), let high = set.dropFirst().first {
                set = set.dropFirst(2)
                if low <= byte && byte <= high { isMember = true }
            } else if low == byte {
                isMember = true
            }
        }
        return isMember != isNegated && matches(glob[(end + 1)...], afterCharacter(path), &steps)
    }
}
