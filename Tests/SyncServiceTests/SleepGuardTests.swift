import Testing

@testable import SyncService

/// When the machine is asked to wait before it sleeps.
@Suite struct SleepGuardTests {
    private func actions(_ events: SleepGuard.Event...) -> [SleepGuard.Action] {
        var decision = SleepGuard()
        return events.flatMap { decision.handle($0) }
    }

    @Test func aLockIsHeldWhileSomethingIsInFlight() {
        #expect(actions(.busy(true), .busy(true)) == [.requestLock])
        #expect(
            actions(.busy(true), .lockAnswered(isGranted: true), .busy(true), .busy(false), .busy(true))
                == [.requestLock, .releaseLock, .requestLock])
    }

    @Test func aLockThatComesLateIsGivenBack() {
        #expect(
            actions(.busy(true), .busy(false), .lockAnswered(isGranted: true)) == [.requestLock, .releaseLock])
    }

    @Test func aRefusalIsQuietAndAskedAgainWithTheNextWork() {
        #expect(
            actions(.busy(true), .lockAnswered(isGranted: false), .busy(false), .busy(true))
                == [.requestLock, .requestLock])
    }

    @Test func beforeASleepNothingMoreIsBegunAndTheLockGoesWhenAllIsAtRest() {
        #expect(
            actions(
                .busy(true), .lockAnswered(isGranted: true), .sleepIsComing, .sleepIsComing, .busy(false), .busy(true),
                .atRest, .busy(false), .awake, .awake) == [.requestLock, .hold, .releaseLock, .goOn])
        #expect(
            actions(.busy(true), .lockAnswered(isGranted: true), .sleepIsComing, .atRest, .awake)
                == [.requestLock, .hold, .releaseLock, .goOn, .requestLock])
    }

    @Test func aSleepWithoutALockHoldsAllTheSame() {
        #expect(actions(.sleepIsComing, .atRest, .awake) == [.hold, .goOn])
        #expect(
            actions(.busy(true), .sleepIsComing, .atRest, .lockAnswered(isGranted: true), .awake)
                == [.requestLock, .hold, .releaseLock, .goOn, .requestLock])
    }

    @Test func whoeverGaveTheLockIsGone() {
        #expect(
            actions(.busy(true), .lockAnswered(isGranted: true), .sleepIsComing, .lost, .busy(true))
                == [.requestLock, .hold, .goOn, .requestLock])
    }
}
