import RoundelBus
import SystemPackage
import TestSupport
import Testing

/// URIs and names that are nearly right: what is taken is canonical, names one place, and says it again.
@Suite("URIs and names at random")
struct ItemURIFuzzTests {
    private static let tokens = [
        "%", "%2F", "%2f", "%00", "%2E", "..", "/.", "//", "?", "#", "file://", "localhost", "%C3%A4", "%ff", "\u{0}",
        "ä",
        "%41", String(repeating: "a", count: 1000), String(repeating: "%FF", count: 500),
    ]

    @Test("A URI that is taken reads the same again, and its path is absolute and short")
    func uris() {
        let samples = [
            "file:///home/a%20b/c", "file://localhost/x/%C3%A4/y", "file:///", "FILE:///a//b/", "file:///%41/%7e",
        ]
        var mutator = ByteMutator(
            SeededRandom(for: "URI fuzz"), samples: samples.map { Array($0.utf8) }, tokens: Self.tokens)
        var taken = 0
        mutator.run(6000) { _, bytes in
            guard let item = try? bytes.withUnsafeBufferPointer({ try ItemURI(validating: $0) }) else { return }
            taken += 1
            #expect((try? ItemURI(item.uri)) == item)
            let path = item.filePath
            #expect((try? ItemURI(path: path)) == item)
            #expect(path.isAbsolute && path.length < ItemURI.pathLimit && path.isLexicallyNormal)
            #expect(item.path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            guard let parent = item.parent, let name = item.name else { return }
            #expect(parent.appending(name) == item && item.isBelow(parent))
        }
        #expect(taken > 1000)
    }

    @Test("A name that is taken reads the same again, and is one segment of a path")
    func names() {
        let samples = [
            "a", "report.pdf", "%C3%A4%20b", "...", "%2e%2E.", String(repeating: "n", count: ItemName.limit),
        ]
        var mutator = ByteMutator(
            SeededRandom(for: "name fuzz"), samples: samples.map { Array($0.utf8) }, tokens: Self.tokens)
        var taken = 0
        mutator.run(6000) { _, bytes in
            guard let name = try? bytes.withUnsafeBufferPointer({ try ItemName(validating: $0) }) else { return }
            taken += 1
            #expect((try? ItemName(name.encoded)) == name)
            #expect((try? ItemName(bytes: name.bytes)) == name)
            #expect(name.bytes.count <= ItemName.limit && !name.bytes.contains(0) && !name.bytes.contains(0x2F))
            #expect(name.bytes != [0x2E] && name.bytes != [0x2E, 0x2E] && !name.bytes.isEmpty)
        }
        #expect(taken > 1000)
    }
}
