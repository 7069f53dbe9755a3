import SyncCore
import TestSupport
import Testing

@Suite("Rules for freeing") struct FreeingRuleTests {
    private static let files = [
        FreeingRule.Candidate(NodeID(2), bytes: 10, lastUse: 300), .init(NodeID(3), bytes: 20, lastUse: 100),
        .init(NodeID(4), bytes: 30, lastUse: 200), .init(NodeID(5), bytes: 0, lastUse: 0),
        .init(NodeID(6), bytes: 40, lastUse: 200),
    ]

    private func choice(_ rule: FreeingRule, free: Int64? = 0, now: Int64 = 300) -> [Int64] {
        rule.choice(from: FreeingRule.eldestFirst(Self.files)[...], free: free, now: now).map(\.node.rawValue)
    }

    @Test("what was not used for the longest time goes first, until there is room")
    func room() {
        #expect(choice(FreeingRule(roomToKeep: 20)) == [3])
        #expect(choice(FreeingRule(roomToKeep: 21)) == [3, 6])
        #expect(choice(FreeingRule(roomToKeep: 61)) == [3, 6, 4])
        #expect(choice(FreeingRule(roomToKeep: 61), free: 60) == [3])
        #expect(choice(FreeingRule(roomToKeep: 61), free: 61) == [])
        #expect(choice(FreeingRule(roomToKeep: .max), free: .min) == [3, 6, 4, 2])
        #expect(choice(FreeingRule(roomToKeep: 61), free: nil) == [])
    }

    @Test("what was not used for so long goes, whatever room there is")
    func age() {
        #expect(choice(FreeingRule(longestUnused: 100), free: .max) == [3, 6, 4])
        #expect(choice(FreeingRule(longestUnused: 101), free: .max) == [3])
        #expect(choice(FreeingRule(longestUnused: .max), now: .min) == [])
    }

    @Test("with both, whatever one of them wants goes; with none, nothing")
    func both() {
        #expect(choice(FreeingRule(roomToKeep: 85, longestUnused: 200)) == [3, 6, 4])
        #expect(choice(FreeingRule(roomToKeep: 15, longestUnused: 100)) == [3, 6, 4])
        #expect(choice(FreeingRule()) == [])
    }

    @Test("of any files, the room suffices, no younger file goes before an older one, and none goes in vain")
    func properties() {
        var random = SeededRandom(seed: SeededRandom.chosenSeed("FreeingRuleTests"))
        for _ in 0..<500 {
            let files = (0..<Int.random(in: 0..<20, using: &random)).map {
                FreeingRule.Candidate(
                    NodeID(Int64($0 + 2)), bytes: Int64.random(in: 0..<5, using: &random),
                    lastUse: Int64.random(in: 0..<9, using: &random))
            }
            let wanted = Int64.random(in: 0..<40, using: &random)
            let free = Int64.random(in: 0..<40, using: &random)
            let chosen = FreeingRule(roomToKeep: wanted)
                .choice(from: FreeingRule.eldestFirst(files)[...], free: free, now: 10).map(\.node)
            let gone = files.filter { chosen.contains($0.node) }
            let (sum, all) = (gone.reduce(0) { $0 + $1.bytes }, files.reduce(0) { $0 + $1.bytes })
            #expect(free + sum >= min(wanted, free + all))
            let youngest = gone.map { $0.lastUse }.max() ?? Int64.min
            let left = files.filter { !chosen.contains($0.node) && $0.bytes > 0 }
            #expect(left.allSatisfy { $0.lastUse >= youngest })
            let last = chosen.last.flatMap { id in files.first { $0.node == id } }?.bytes ?? 0
            #expect(chosen.isEmpty || free + sum - last < wanted)
        }
    }
}
