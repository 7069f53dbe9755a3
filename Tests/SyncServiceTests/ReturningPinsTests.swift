import SyncCore
import TestSupport
import Testing

@testable import SyncService

/// What was pinned before a folder's trees were thrown away.
@Suite struct ReturningPinsTests {
    private let files: TemporaryDirectory

    init() throws { files = try TemporaryDirectory() }

    private func path(_ names: String...) -> RelativePath {
        RelativePath(names.compactMap { EntryName(Array($0.utf8)) })
    }

    private var known: [RelativePath: NodeID] { [.root: .root, path("d"): NodeID(7), path("d", "a"): NodeID(8)] }

    private func due(_ pins: ReturningPins, isComplete: Bool = true, pinned: Set<NodeID> = []) -> [NodeID] {
        pins.due(isComplete: isComplete) {
            known[$0]
        } isPinned: {
            pinned.contains($0)
        }
    }

    @Test("It is pinned again when it is known, and forgotten when it is seen to be pinned")
    func pinnedAgain() throws {
        try ReturningPins.note([.root, path("d", "a")], in: files.path)
        #expect(due(ReturningPins(in: files.path)) == [.root, NodeID(8)])
        // The worker may be killed before that is durable.
        #expect(due(ReturningPins(in: files.path), pinned: [.root]) == [NodeID(8)])
        let pins = ReturningPins(in: files.path)
        #expect(due(pins, pinned: [.root, NodeID(8)]) == [])
        #expect(pins.isEmpty && ReturningPins(in: files.path).isEmpty)
    }

    @Test("What is not known yet waits, and is given up when everything is known")
    func unknown() throws {
        try ReturningPins.note([path("gone"), path("d")], in: files.path)
        let pins = ReturningPins(in: files.path)
        #expect(due(pins, isComplete: false) == [NodeID(7)])
        #expect(due(pins, isComplete: false, pinned: [NodeID(7)]) == [])
        #expect(!ReturningPins(in: files.path).isEmpty)
        #expect(due(pins) == [])
        #expect(ReturningPins(in: files.path).isEmpty)
    }

    @Test("A note is added to, also with names that are no text; what is unpinned meanwhile is not pinned again")
    func noted() throws {
        let odd = RelativePath([try #require(EntryName([0xff, 0x0a, 0x20]))])
        try ReturningPins.note([path("d")], in: files.path)
        try ReturningPins.note([odd, path("d", "a")], in: files.path)
        try ReturningPins.note([], in: files.path)
        let pins = ReturningPins(in: files.path)
        pins.drop(path("d"))
        #expect(due(pins, isComplete: false) == [])
        pins.drop(odd)
        #expect(ReturningPins(in: files.path).isEmpty)
        ReturningPins.forget(in: files.path)
    }

    @Test("When the whole folder is pinned only for a while, what was noted in it stays noted")
    func wholeForAWhile() throws {
        try ReturningPins.note([path("d", "a"), path("gone")], in: files.path)
        let pins = ReturningPins(in: files.path)
        try pins.add([.root])
        pins.drop(onlyItself: .root)
        #expect(due(pins, isComplete: false) == [NodeID(8)])
        #expect(due(ReturningPins(in: files.path), isComplete: false) == [NodeID(8)])
    }

    @Test("What is noted covers everything in it, and nothing beside it or above it")
    func covers() throws {
        try ReturningPins.note([path("d"), path("e", "f")], in: files.path)
        let pins = ReturningPins(in: files.path)
        for covered in [path("d"), path("d", "a", "b"), path("e", "f")] { #expect(pins.cover(covered)) }
        for other in [.root, path("da"), path("e"), path("e", "g")] { #expect(!pins.cover(other)) }
        try pins.add([.root])
        #expect(pins.cover(.root) && pins.cover(path("da")))
        pins.drop(.root)
        #expect(!pins.cover(path("d")))
    }
}
