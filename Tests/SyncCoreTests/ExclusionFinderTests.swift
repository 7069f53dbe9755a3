import Testing

@testable import SyncCore

@Suite("Why an item is not synced")
struct ExclusionFinderTests {
    private func path(_ text: String) -> RelativePath {
        RelativePath(text.split(separator: "/").compactMap { EntryName(String($0)) })
    }

    private func finding(
        _ patterns: [String], _ text: String, _ kind: EntryKind = .file, guarding guarded: [RelativePath] = []
    ) -> ExclusionFinder.Finding {
        ExclusionFinder(ExcludePatterns(patterns.map { Array($0.utf8) }, guarding: guarded)).finding(
            at: path(text), kind: kind)
    }

    private func pattern(_ text: String, isBundled: Bool = false) -> ExclusionFinder.Deciding {
        ExclusionFinder.Deciding(text: Array(text.utf8), isBundled: isBundled)
    }

    @Test("The last pattern that matches is the reason, also where it takes back what another one excludes")
    func last() {
        let patterns = ["*.tmp", "*.log", "!keep.log", "/a/*.log"]
        #expect(finding(patterns, "x.tmp") == .excluded(path("x.tmp"), .pattern(pattern("*.tmp"))))
        #expect(finding([], "x.tmp") == .excluded(path("x.tmp"), .pattern(pattern("*.tmp", isBundled: true))))
        #expect(finding(patterns, "b/keep.log") == .synced(by: pattern("!keep.log")))
        #expect(finding(patterns, "a/keep.log") == .excluded(path("a/keep.log"), .pattern(pattern("/a/*.log"))))
        #expect(finding(patterns, "a/text") == .synced(by: nil))
    }

    @Test("What is in an excluded directory is not synced because of that directory, whatever matches in it")
    func above() {
        let found = finding(["build/", "!x.o"], "src/build/deep/x.o")
        #expect(found == .excluded(path("src/build"), .pattern(pattern("build/"))))
        #expect(finding(["build/"], "build") == .synced(by: nil))
    }

    @Test("Links, devices and the engine's own files are not synced by any pattern")
    func kinds() {
        #expect(finding(["!*"], "l", .symlink) == .excluded(path("l"), .link))
        #expect(finding(["!*"], "d/s", .special) == .excluded(path("d/s"), .special))
        #expect(finding(["!.roundel"], ".roundel/x") == .excluded(path(".roundel"), .own))
        #expect(finding(["!*"], "a/state/x", guarding: [path("a/state")]) == .excluded(path("a/state"), .guarded))
    }

    @Test("It finds what the patterns decide, for each of many items")
    func agrees() {
        let lists = [[], ["*.o", "!a.o"], ["/a/**/c", "b?d"], ["!*~", "d/"], ["**/x", "a/b", "!a"]]
        let names = ["a", "b", "d", "x", "a.o", "c", "bad", "e~", ".roundel", "q.tmp"]
        for list in lists {
            let patterns = ExcludePatterns(list.map { Array($0.utf8) })
            for text in names + names.flatMap({ above in names.map { above + "/" + $0 } }) {
                for kind in [EntryKind.file, .directory] {
                    let whole = path(text)
                    let isExcluded = (1...whole.names.count).contains { depth in
                        let part = RelativePath(Array(whole.names.prefix(depth)))
                        return patterns.excludes(part, kind: depth == whole.names.count ? kind : .directory)
                    }
                    let found = finding(list, text, kind)
                    if case .excluded = found {
                        #expect(isExcluded, "\(list) \(text)")
                    } else {
                        #expect(!isExcluded, "\(list) \(text)")
                    }
                }
            }
        }
    }
}
