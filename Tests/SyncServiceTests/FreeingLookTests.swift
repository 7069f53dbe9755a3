import SyncCore
import Testing

@testable import SyncService

/// What is tried, in one look, of the files that may go by a rule.
@Suite struct FreeingLookTests {
    private static let files = FreeingRule.eldestFirst(
        (0..<5).map { FreeingRule.Candidate(NodeID($0 + 2), bytes: 10, lastUse: $0) })

    private var look = FreeingLook(Self.files)

    private mutating func choose(_ room: Int64, free: Int64 = 0) -> Int {
        look.choose(by: FreeingRule(roomToKeep: room), free: free, now: 9)
    }

    private mutating func end(_ reason: DemandFailure.Reason? = nil) throws {
        let file = look.next()
        look.ended(try #require(file), reason.map { .failed(DemandFailure($0)) } ?? .done)
    }

    @Test("For a file that cannot go another one goes, and no more than has to")
    mutating func another() throws {
        #expect(choose(20) == 2)
        try end()
        try end(.inUse)
        #expect(look.next() == nil)
        // The file system shows the room only later.
        #expect(choose(20) == 1)
        #expect(look.next() == Self.files[2])
        look.ended(Self.files[2], .done)
        #expect(choose(20) == 0)
        #expect(choose(30) == 1)
    }

    @Test(
        "When no file can go, the others are not tried", arguments: [DemandFailure.Reason.offline, .held, .interrupted])
    mutating func nothingGoes(_ reason: DemandFailure.Reason) throws {
        #expect(choose(30) == 3)
        try end(reason)
        #expect(look.next() == nil)
        #expect(choose(30) == 0)
    }

    @Test("A look ends when everything was tried")
    mutating func everything() throws {
        #expect(choose(.max) == 5)
        for _ in 0..<5 { try end(.onlyHere) }
        #expect(choose(.max) == 0)
    }
}
