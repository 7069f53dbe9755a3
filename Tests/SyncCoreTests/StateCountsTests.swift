import SyncCore
import Testing

@Suite struct StateCountsTests {
    @Test("counts of sparse files that add up to more than there are numbers for are taken away again")
    func extremes() {
        let large = StateCounts(pending: 1, bytesToDo: .max, bytes: .max)
        let small = StateCounts(pending: 2, bytesToDo: 1, bytes: 3)
        let sum = small + large + large
        #expect(sum.pending == 4)
        #expect(sum - large - large == small)
        #expect((small + large).bytesDone == 2)
    }
}
