import SyncCore
import Testing

@testable import SyncService

/// Which demands are made again that failed because a folder was not mounted.
@Suite struct DemandRetriesTests {
    private var retries = DemandRetries<String>()

    private static let notMounted = DemandFailure(.offline, Explanation(.notMountedYet, .local, "/folder"))
    private static let unreachable = DemandFailure(.offline, Explanation(.unreachable, .local, "/folder/a"))
    private static let interrupted = DemandFailure(.interrupted)

    private mutating func fails(
        _ number: Int, in folder: String = "folder", as failure: DemandFailure = Self.notMounted,
        isMountWanted: Bool = true
    ) -> Bool { !retries.failed(number, in: folder, as: failure, isMountWanted: isMountWanted) }

    @Test("What failed for the mount is made again when it is there, in the order in which it came")
    mutating func again() {
        for (number, failure) in [(1, Self.notMounted), (2, Self.unreachable), (3, Self.interrupted)] {
            let ends = fails(number, as: failure)
            #expect(!ends, "\(failure)")
        }
        for number in [2, 1, 3] {
            let isMadeAgain = retries.mounted(number, in: "folder", isThere: true)
            #expect(isMadeAgain)
        }
        let due = retries.takeDue()
        #expect(due == [2, 1, 3])
        let later = retries.takeDue()
        #expect(later.isEmpty)
    }

    @Test("Every other failure is the end, and every one while the folder is left as it is")
    mutating func others() {
        for reason in DemandFailure.Reason.allCases where reason != .interrupted {
            let ends = fails(1, as: DemandFailure(reason, Explanation(.unreachable, .remote, "/remote")))
            #expect(ends, "\(reason)")
        }
        let isOfAnotherKind = fails(1, as: DemandFailure(.offline, Explanation(.silent, .local, "/folder")))
        #expect(isOfAnotherKind)
        let isLeft = fails(1, isMountWanted: false)
        #expect(isLeft)
        // That has not cost the folder anything.
        let ends = fails(1)
        #expect(!ends)
    }

    @Test("A demand is made again so often; then nothing of its folder waits, until something of it succeeds")
    mutating func exhausted() {
        for attempt in 1...20 {
            let ends = fails(1)
            #expect(!ends, "\(attempt)")
        }
        let (last, behind, other) = (fails(1), fails(2), fails(3, in: "other"))
        #expect(last && behind && !other)
        retries.ended(2, in: "folder", isDone: false)
        let stillGivenUp = fails(4)
        #expect(stillGivenUp)
        retries.ended(5, in: "folder", isDone: true)
        let waits = fails(4)
        #expect(!waits)
    }

    @Test("A folder that could not be mounted is not waited for again by what is behind")
    mutating func notThere() {
        _ = fails(1)
        let isMadeAgain = retries.mounted(1, in: "folder", isThere: false)
        #expect(!isMadeAgain)
        let due = retries.takeDue()
        #expect(due.isEmpty)
        let (behind, other) = (fails(2), fails(3, in: "other"))
        #expect(behind && !other)
    }
}
