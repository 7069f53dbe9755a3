import Support
import Testing

@testable import SyncService

/// What is done with the directories and the program of a folder on demand.
@Suite struct MountDecisionTests {
    @Test("Whatever was interrupted is taken up again, and comes to an end")
    func plan() {
        for step in [OnDemandSettings.Step.turningOn, .turningOff, .removing, nil] {
            for hadContents in [true, false] {
                for place in MountPlan.Folder.allCases {
                    #expect(ends(step, hadContents, place), "\(String(describing: step)) \(hadContents) \(place)")
                }
            }
        }
    }

    /// Carries out what the plan says; whether that ends.
    private func ends(_ step: OnDemandSettings.Step?, _ hadContents: Bool, _ place: MountPlan.Folder) -> Bool {
        var (hasContents, folder) = (hadContents, place)
        for _ in 0..<5 {
            switch MountPlan.next(step, hasContents: hasContents, folder) {
            case .moveBehind: (hasContents, folder) = (true, .missing)
            case .makeFolder: folder = .directory
            case .unmount: folder = .directory
            case .moveBack: (hasContents, folder) = (false, .directory)
            // A directory with contents is never left where nothing of it is seen.
            case .done: return !hasContents
            case .mount: return hasContents && folder != .missing
            case .contentsMissing, .folderMissing: return !hasContents
            }
        }
        return false
    }

    @Test("A folder without its contents is never mounted, nor emptied by a move")
    func contentsGone() {
        #expect(MountPlan.next(nil, hasContents: false, .directory) == .contentsMissing)
        #expect(MountPlan.next(.turningOn, hasContents: false, .directory) == .moveBehind)
        #expect(MountPlan.next(.turningOn, hasContents: true, .missing) == .makeFolder)
        #expect(MountPlan.next(.turningOff, hasContents: true, .mounted) == .unmount)
        #expect(MountPlan.next(.turningOff, hasContents: true, .directory) == .moveBack)
    }

    // MARK: The program

    private let start = Instant(nanoseconds: 1_000_000_000_000)

    @Test("A folder is prepared, its program started and asked until it answers")
    func mounting() {
        var life = MountLife()
        #expect(life.handle(.wanted, at: start) == [.cancelTimer, .prepare])
        let question = start + Patience.Worker.mountQuestion
        #expect(life.handle(.prepared, at: start) == [.ask, .setTimer(question)])
        #expect(life.handle(.timer, at: question).prefix(2) == [.start, .ask])
        #expect(!life.isThere)
        #expect(life.handle(.timer, at: question).first == .ask)
        #expect(life.handle(.answered, at: question) == [.cancelTimer, .come])
        #expect(life.isThere)
        // The program that was started ended, because another one serves the folder.
        #expect(life.handle(.failed("in use"), at: question) == [])
        #expect(life.isThere)
    }

    @Test("The program is not started for a folder that somebody serves already")
    func servedAlready() {
        var life = MountLife()
        _ = life.handle(.wanted, at: start)
        _ = life.handle(.prepared, at: start)
        #expect(life.handle(.answered, at: start) == [.cancelTimer, .come])
    }

    @Test("A folder that falls silent goes away and is mounted again, later each time")
    func silence() {
        var life = MountLife()
        var (now, waits) = (start, [Duration]())
        _ = life.handle(.wanted, at: now)
        for _ in 0..<4 {
            _ = life.handle(.prepared, at: now)
            _ = life.handle(.answered, at: now)
            let actions = life.handle(.fellSilent, at: now)
            #expect(actions.first == .goAway(nil))
            guard case .setTimer(let due)? = actions.last else {
                Issue.record("\(actions)")
                return
            }
            waits.append(now.duration(to: due))
            now = due
            #expect(life.handle(.timer, at: now) == [.cancelTimer, .prepare])
        }
        #expect(waits == waits.sorted() && waits[0] < waits[3])
    }

    @Test("One that does not answer in time is given up and tried again; what is wrong is told")
    func failure() {
        var life = MountLife()
        _ = life.handle(.wanted, at: start)
        #expect(life.handle(.failed("no FUSE"), at: start).first == .goAway("no FUSE"))
        _ = life.handle(.wanted, at: start)
        _ = life.handle(.prepared, at: start)
        _ = life.handle(.timer, at: start)
        #expect(life.handle(.timer, at: start + Patience.Worker.mount).first == .goAway(nil))
        // Somebody else has mounted it.
        #expect(life.handle(.answered, at: start) == [.cancelTimer, .come])
    }

    @Test("One that is not wanted any more is left alone")
    func unwanted() {
        var life = MountLife()
        _ = life.handle(.wanted, at: start)
        _ = life.handle(.prepared, at: start)
        _ = life.handle(.answered, at: start)
        #expect(life.handle(.unwanted, at: start) == [.cancelTimer, .goAway(nil)])
        for event in [MountLife.Event.answered, .fellSilent, .timer, .prepared, .failed("")] {
            #expect(life.handle(event, at: start) == [])
        }
    }
}
