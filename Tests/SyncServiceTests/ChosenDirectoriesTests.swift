import RoundelBus
import SyncCore
import TestSupport
import Testing

@testable import SyncService

/// The choice of directories that are synced, as patterns.
@Suite struct ChosenDirectoriesTests {
    private func patterns(_ texts: [String], and others: [String] = []) throws -> ExcludePatterns {
        ExcludePatterns((try ChosenDirectories(texts).patterns + others).map { Array($0.utf8) })
    }

    /// Whether a path is synced: nothing on the way to it is excluded.
    private func isSynced(_ text: String, _ kind: EntryKind, _ patterns: ExcludePatterns) -> Bool {
        let names = text.split(separator: "/").compactMap { EntryName(String($0)) }
        return names.indices.allSatisfy { last in
            !patterns.excludes(
                RelativePath(Array(names[...last])), kind: last == names.count - 1 ? kind : .directory)
        }
    }

    @Test(
        "Only what was chosen is synced",
        arguments: [
            (
                ["Photos"], ["Photos", "Photos/2024", "Photos/2024/a.jpg"],
                ["Docs", "Docs/a", "a.txt", "photos", "Photos2"]
            ),
            (["Photos/2024"], ["Photos", "Photos/2024", "Photos/2024/x/y"], ["Photos/2023", "Photos/a.jpg", "2024"]),
            (["A", "A/B"], ["A", "A/B", "A/C"], ["B"]),
            (["A/B", "A/D/E", "F"], ["A", "A/B/x", "A/D", "A/D/E/x", "F/x"], ["A/C", "A/D/x", "A/x", "G"]),
            (["/A/"], ["A/x"], ["B"]),
            (
                ["a*", "[b]", "!c", "#d", "e ", "f\\g", "*"], ["a*", "[b]/x", "!c", "#d", "e /x", "f\\g", "*/x"],
                ["ab", "b", "c", "d", "e", "fg", "x"]
            ),
            (["cache.tmp"], ["cache.tmp/x"], ["other.tmp"]),
            ([], ["A", "A/x"], []), ([""], ["A", "A/x"], []), (["A", "/"], ["B"], []),
        ])
    func choices(chosen: [String], synced: [String], left: [String]) throws {
        let patterns = try patterns(chosen)
        for text in synced { #expect(isSynced(text, .directory, patterns), "\(text) of \(chosen)") }
        for text in left {
            #expect(!isSynced(text, .directory, patterns) && !isSynced(text, .file, patterns), "\(text) of \(chosen)")
        }
    }

    @Test("A folder's own patterns come after the choice; a directory can be chosen later and left again")
    func others() throws {
        #expect(!isSynced("A/x.iso", .file, try patterns(["A"], and: ["*.iso"])))
        #expect(isSynced("Docs/x", .file, try patterns(["A"], and: ["!/Docs/"])))
        #expect(!isSynced("A", .file, try patterns(["A"])))
    }

    @Test("Random choices in random trees")
    func random() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            func path() -> [String] {
                (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    ["a", "b", "*", "c "].randomElement(using: &random) ?? ""
                }
            }
            let chosen = (0..<Int.random(in: 1...5, using: &random)).map { _ in path() }
            let patterns = try patterns(chosen.map { $0.joined(separator: "/") })
            for _ in 0..<60 {
                let item = path()
                let isWanted = chosen.contains { item.starts(with: $0) || $0.starts(with: item) }
                #expect(isSynced(item.joined(separator: "/"), .directory, patterns) == isWanted, "\(item) of \(chosen)")
            }
        }
    }

    @Test(arguments: ["a//b", "..", "a/../b", ".", "a\0b"]) func noPaths(text: String) {
        #expect(throws: RoundelError.self) { try ChosenDirectories([text]) }
    }

    @Test func tooMany() {
        #expect(throws: RoundelError.self) { try ChosenDirectories((0...1_000).map { "\($0)" }) }
        #expect(throws: RoundelError.self) { try ChosenDirectories([String(repeating: "a", count: 5_000)]) }
    }
}
