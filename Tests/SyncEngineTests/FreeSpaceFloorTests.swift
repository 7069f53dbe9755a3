import Testing

@testable import SyncEngine

/// What transfers leave free.
@Suite struct FreeSpaceFloorTests {
    private let gibibyte: Int64 = 1 << 30

    @Test func theUsualIsAHundredthAndHalfAGigabyteAtMost() {
        let usual = FreeSpaceFloor()
        #expect(usual.bytes(for: 2 << 20, total: 10 * gibibyte) == 10 * gibibyte / 100)
        #expect(usual.bytes(for: 2 << 20, total: 1_000 * gibibyte) == 500 << 20)
        #expect(usual.bytes(for: 2 << 20, total: 0) == 0)
    }

    @Test func smallFilesMayTakeMostOfIt() {
        #expect(FreeSpaceFloor().bytes(for: 1 << 20, total: 1_000 * gibibyte) == 50 << 20)
        #expect(FreeSpaceFloor(bytes: 70).bytes(for: 1, total: gibibyte) == 7)
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func whateverIsAskedForIsABound(bytes: Int64) {
        let floor = FreeSpaceFloor(bytes: bytes).bytes(for: .max, total: .max)
        #expect(floor >= 0 && floor < .max / 4)
    }
}
