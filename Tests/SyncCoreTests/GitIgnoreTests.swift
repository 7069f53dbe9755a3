import Foundation
import SyncCore
import TestSupport
import Testing

/// Random patterns against random trees, beside what git says of them.
@Suite("Exclude patterns beside git", .enabled(if: GitIgnore.isInstalled, "git is not installed"))
struct GitIgnoreTests {
    @Test("F8: git check-ignore and the exclude patterns agree")
    func random() throws {
        let seed = SeededRandom.chosenSeed("GitIgnoreTests")
        var random = PatternRandom(seed: seed)
        let git = try GitIgnore()
        var excluded = 0
        for round in 0..<60 {
            let tree = random.tree()
            try git.make(tree)
            for _ in 0..<3 {
                let patterns = random.patterns()
                let theirs = try git.ignored(of: tree, patterns: ExcludePatterns.defaults + patterns)
                let ours = Self.excluded(of: tree, patterns)
                #expect(ours == theirs, "seed \(seed), round \(round), patterns \(patterns)")
                excluded += theirs.count
            }
        }
        #expect(excluded > 300)
    }

    /// What is excluded of a tree: of each entry its path, and whether it is a directory.
    private static func excluded(of tree: [String: Bool], _ patterns: [String]) -> Set<String> {
        let excludes = ExcludePatterns(patterns.map { Array($0.utf8) })
        return Set(
            tree.keys.filter { path in
                let names = path.split(separator: "/").compactMap { EntryName(String($0)) }
                return names.indices.contains { last in
                    let above = RelativePath(Array(names[...last]))
                    let isDirectory = last < names.count - 1 || tree[path] == true
                    return excludes.excludes(above, kind: isDirectory ? .directory : .file)
                }
            })
    }
}

/// An empty repository that git is asked about.
private final class GitIgnore {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")
    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "roundel-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        _ = try run(["init", "-q"], input: "")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Makes a tree in place of the last one; a path is a directory if its value says so.
    func make(_ tree: [String: Bool]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path) where name != ".git" {
            try FileManager.default.removeItem(at: root.appending(path: name))
        }
        for (path, isDirectory) in tree.sorted(by: { $0.key < $1.key }) {
            let place = root.path + "/" + path
            if isDirectory {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            } else {
                #expect(FileManager.default.createFile(atPath: place, contents: nil))
            }
        }
    }

    /// Which paths of the tree git ignores with these lines.
    func ignored(of tree: [String: Bool], patterns: [String]) throws -> Set<String> {
        try Data((patterns.joined(separator: "\n") + "\n").utf8).write(to: root.appending(path: ".git/info/exclude"))
        let output = try run(
            ["check-ignore", "--no-index", "-z", "--stdin"], input: tree.keys.map { "./\($0)\0" }.joined())
        return Set(output.split(separator: "\0").map { String($0.dropFirst(2)) })
    }

    private func run(_ arguments: [String], input: String) throws -> String {
        let (process, inlet, outlet) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments = arguments
        process.currentDirectoryURL = root
        process.environment = [
            "HOME": root.path, "XDG_CONFIG_HOME": root.path, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "PATH": "/usr/bin:/bin",
        ]
        process.standardInput = inlet
        process.standardOutput = outlet
        process.standardError = outlet
        try process.run()
        // A tree's paths fit into a pipe, so that writing all of them first cannot wait for the reader.
        inlet.fileHandleForWriting.write(Data(input.utf8))
        try inlet.fileHandleForWriting.close()
        let output = try outlet.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        // 1 says that nothing is ignored.
        #expect([0, 1].contains(process.terminationStatus), "\(text)")
        return text
    }
}

/// Trees and patterns that a seed determines.
private struct PatternRandom: RandomNumberGenerator {
    private var numbers: SeededRandom

    init(seed: UInt64) { numbers = SeededRandom(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    private static let names = [
        "a", "b", "ab", "abc", "a.tmp", "b.tmp", "x~", "a b", "a ", "!a", "#a", "[a]", "a*", "ä", "A", "a-b", "b\\",
        ".a",
        "ba", "aab", "]", "-", "lost+found", "B1",
    ]
    private static let pieces = [
        "a", "b", "a", "b", ".", "tmp", "*", "*", "**", "***", "?", "/", "/", "**/", "/**", "/**/", "[ab]", "[!a]",
        "[^b]",
        "[a-c]", "[]a]", "[!]a]", "[a-]", "[-a]", "[b-a]", "[\\]a]", "[[:alpha:]]", "[[:upper:][:digit:]]",
        "[[:punct:]]",
        "[[:none:]]", "[[:a]", "\\*", "\\a", "\\ ", " ", "#", "!", "[", "\\", "~", "-", "ä",
    ]

    /// Paths with whether each is a directory.
    mutating func tree() -> [String: Bool] {
        var tree: [String: Bool] = [:]
        var directories = [""]
        for _ in 0..<Int.random(in: 5...40, using: &self) {
            let above = directories.randomElement(using: &self) ?? ""
            let path = above + (Self.names.randomElement(using: &self) ?? "a")
            guard tree[path] == nil else { continue }
            let isDirectory = Bool.random(using: &self)
            tree[path] = isDirectory
            if isDirectory { directories.append(path + "/") }
        }
        return tree
    }

    /// Some lines, at least one.
    mutating func patterns() -> [String] {
        (0..<Int.random(in: 1...5, using: &self)).compactMap { _ in pattern() }
    }

    private mutating func pattern() -> String? {
        var text = Int.random(in: 0..<4, using: &self) == 0 ? "!" : ""
        if Int.random(in: 0..<4, using: &self) == 0 { text += "/" }
        for _ in 0..<Int.random(in: 1...5, using: &self) { text += Self.pieces.randomElement(using: &self) ?? "" }
        if Int.random(in: 0..<4, using: &self) == 0 { text += "/" }
        // Here git and its manual differ, see ExcludePatterns.
        return text.contains(#/^!?/?[^*?\[\\]*[^*?\[\\/]\*\*+(/|\s*$)/#) ? nil : text
    }
}
