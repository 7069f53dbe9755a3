internal import RoundelBus

/// The types of data that names of files stand for, as the `globs2` files of the Shared MIME-info Database say.
///
/// Files of several directories are added in their order, the most important first. Lines that are not understood are
/// passed over, as the specification wants; so is what is beyond the limits, which no real file comes near.
struct GlobTable {
    /// One line: a name that matches has this type.
    private struct Glob {
        let weight: Int
        let type: ArraySlice<UInt8>
        let pattern: ArraySlice<UInt8>
        let isCaseSensitive: Bool
    }

    /// The best globs so far for a name.
    private struct Best {
        var weight = -1
        var length = -1
        var types: [ArraySlice<UInt8>] = []

        mutating func offer(_ glob: Glob) {
            let length = glob.pattern.count
            guard (glob.weight, length) >= (weight, self.length) else { return }
            if (glob.weight, length) > (weight, self.length) { self = Best(weight: glob.weight, length: length) }
            if !types.contains(glob.type) { types.append(glob.type) }
        }
    }

    /// The most globs of all files together.
    static let globLimit = 1 << 15
    /// The most of these with wildcards inside: each is tried on each name.
    static let wildcardLimit = 256
    /// The most globs that are the same but for their case.
    static let sameLimit = 32
    /// The most bytes of one glob.
    static let patternLimit = 128

    /// Globs without wildcards, by their names in lower case.
    private var literals: [ArraySlice<UInt8>: [Glob]] = [:]
    /// Globs with nothing but a `*` at the beginning, by the rest in lower case.
    private var endings: [ArraySlice<UInt8>: [Glob]] = [:]
    private var longestEnding = 0
    /// All others, with their patterns in lower case where case does not matter.
    private var wildcards: [(glob: Glob, pattern: ArraySlice<UInt8>)] = []
    private var count = 0
    /// The types whose globs in less important files do not count.
    private var closed: Set<ArraySlice<UInt8>> = []

    /// Adds the globs of a file that is less important than those before.
    mutating func add(_ file: [UInt8]) {
        var closing: Set<ArraySlice<UInt8>> = []
        for line in file.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 4, omittingEmptySubsequences: false)
            guard fields.count >= 3, DataType.isName(fields[1]), !closed.contains(fields[1]) else { continue }
            if fields[2].elementsEqual("__NOGLOBS__".utf8) {
                closing.insert(fields[1])
                continue
            }
            guard let weight = Self.weight(fields[0]) else { continue }
            let flags = fields.count > 3 ? fields[3].split(separator: UInt8(ascii: ",")) : []
            add(
                Glob(
                    weight: weight, type: fields[1], pattern: fields[2],
                    isCaseSensitive: flags.contains { $0.elementsEqual("cs".utf8) }))
        }
        closed.formUnion(closing)
    }

    private mutating func add(_ glob: Glob) {
        guard !glob.pattern.isEmpty, glob.pattern.count <= Self.patternLimit, count < Self.globLimit else { return }
        count += 1
        let ending = glob.pattern.dropFirst()
        if !Wildcards.areIn(glob.pattern) {
            Self.add(glob, to: &literals[Wildcards.lowercased(glob.pattern), default: []])
        } else if glob.pattern.first == Wildcards.star, !ending.isEmpty, !Wildcards.areIn(ending) {
            Self.add(glob, to: &endings[Wildcards.lowercased(ending), default: []])
            longestEnding = max(longestEnding, ending.count)
        } else if wildcards.count < Self.wildcardLimit {
            let pattern = glob.isCaseSensitive ? glob.pattern : Wildcards.lowercased(glob.pattern)
            wildcards.append((glob, pattern))
        }
    }

    /// Adds a glob to those that differ from it in case alone. One for which case matters is there a second time without
    /// the flag, for programs that do not know flags.
    private static func add(_ glob: Glob, to globs: inout [Glob]) {
        guard globs.count < sameLimit else { return }
        let isRepeated = globs.contains { $0.isCaseSensitive && $0.type == glob.type && $0.pattern == glob.pattern }
        if !isRepeated { globs.append(glob) }
    }

    private static func weight(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...3).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { 10 * $0 + Int($1) - 48 }
    }

    /// The types that a file of this name can have: those of the globs with the greatest weight, and of these of the
    /// longest. Several are as good as each other; none means that the name says nothing.
    func types(of name: [UInt8]) -> [DataType] {
        let folded = Wildcards.lowercased(name[...])
        var best = Best()
        for glob in literals[folded] ?? [] where !glob.isCaseSensitive || glob.pattern == name[...] { best.offer(glob) }
        for start in max(0, name.count - longestEnding)..<name.count {
            for glob in endings[folded[start...]] ?? []
            where !glob.isCaseSensitive || glob.pattern.dropFirst() == name[start...] {
                best.offer(glob)
            }
        }
        for (glob, pattern) in wildcards
        where Wildcards.match(pattern, glob.isCaseSensitive ? name[...] : folded) { best.offer(glob) }
        return best.types.compactMap { DataType(bytes: $0) }
    }
}
