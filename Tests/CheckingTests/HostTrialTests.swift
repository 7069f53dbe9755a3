import Checking
import RoundelBus
import Testing

/// What is said of a host, from what it calls and what it was told.
@Suite struct HostTrialTests {
    private static let folder = "file:///home/me/Folder"
    private var trial: HostTrial

    init() throws { trial = HostTrial(folder: try ItemURI(Self.folder)) }

    private func outcome(_ rule: HostRule) -> CheckOutcome? { trial.verdicts.first { $0.rule == rule }?.outcome }

    /// The host shows the folder and knows the names a and b.
    private mutating func show() throws {
        let isMonitored = try trial.note(.beginObserving(Self.folder))
        #expect(isMonitored)
        _ = try trial.note(.requestBadges(directory: Self.folder, names: ["a", "b"]))
    }

    @Test("What is not monitored is told so: the folder, what is below it and its parent alone are")
    mutating func monitored() throws {
        let answers = try ["", "/below/deeper", "-beside"].map { try trial.note(.beginObserving(Self.folder + $0)) }
        #expect(answers == [true, true, false])
        #expect(try trial.note(.beginObserving("file:///home/me")))
        #expect(try !trial.note(.beginObserving("file:///home")))
    }

    @Test("A name that is asked for twice breaks a rule; one after a Reset or a new beginning does not")
    mutating func asksOnce() throws {
        try show()
        trial.note(.sentReset)
        try show()
        _ = try trial.note(.endObserving(Self.folder))
        try show()
        #expect(outcome(.asksOnce) == .ok)
        _ = try trial.note(.requestBadges(directory: Self.folder, names: ["c", "b"]))
        #expect(outcome(.asksOnce) == .failed)
    }

    @Test("What was sent before the host knew of a Reset is refused, and breaks no rule")
    mutating func lateCalls() throws {
        try show()
        trial.note(.sentReset)
        #expect(throws: RoundelError.self) {
            _ = try trial.note(.requestBadges(directory: Self.folder, names: ["c"]))
        }
        #expect(throws: RoundelError.self) { _ = try trial.note(.endObserving(Self.folder)) }
        #expect(outcome(.observedFirst) == .ok && outcome(.ends) == .notPlayed)
        try show()
        #expect(throws: RoundelError.self) { _ = try trial.note(.endObserving("file:///home/me")) }
        #expect(outcome(.ends) == .failed)
    }

    @Test("A beginning after Reset, after the folder came back and after the service did keeps these rules")
    mutating func beginsAgain() throws {
        try show()
        for (event, rule) in [
            (HostTrial.Event.sentReset, HostRule.reset), (.folderReturned, .folders),
            (.serviceCame(hasVersion: true), .returns),
        ] {
            trial.note(event)
            #expect(trial.awaits(rule) && outcome(rule) == .notPlayed)
            try show()
            #expect(!trial.awaits(rule) && outcome(rule) == .ok)
        }
        trial.note(.sentReset)
        trial.note(.waitedInVain(.reset))
        #expect(outcome(.reset) == .failed)
    }

    @Test("A host that leaves the bus breaks the rule of what it was sent last")
    mutating func leaves() throws {
        let reasons: [(HostTrial.Event, HostRule)] = [
            (.sentUnknown, .unknown), (.refused, .refusals), (.serviceLeft, .stays), (.sentReset, .reset),
        ]
        for (event, rule) in reasons {
            var trial = trial
            _ = try trial.note(.beginObserving(Self.folder))
            _ = try trial.note(.requestDirectory(directory: Self.folder, after: ""))
            trial.note(event)
            trial.note(.left)
            #expect(trial.verdicts.filter { $0.outcome == .failed }.map(\.rule) == [rule])
        }
    }

    @Test("Any call to a service without a version breaks a rule")
    mutating func version() throws {
        trial.note(.serviceCame(hasVersion: false))
        trial.note(.watched(.version))
        #expect(outcome(.version) == .ok)
        _ = try trial.note(.beginObserving(Self.folder))
        #expect(outcome(.version) == .failed)
    }

    @Test("Another directory is not the folder: a host that observes it alone is told both")
    mutating func elsewhere() throws {
        #expect(try !trial.note(.beginObserving("file:///elsewhere")))
        #expect(try trial.note(.beginObserving(Self.folder + "/below")))
        #expect(trial.awaits(.observes))
        trial.note(.waitedInVain(.observes))
        let verdict = try #require(trial.verdicts.first { $0.rule == .observes })
        #expect(verdict.outcome == .failed)
        #expect(verdict.seen.contains("file:///elsewhere") && verdict.seen.contains("\(Self.folder),"))
    }

    @Test("A host has settled when it has asked for all that it shows, and has read the last page")
    mutating func settled() throws {
        #expect(!trial.hasSettled)
        _ = try trial.note(.beginObserving(Self.folder))
        #expect(!trial.hasSettled)
        _ = try trial.note(.requestDirectory(directory: Self.folder, after: ""))
        // Whether there is another page is told by the answer.
        #expect(!trial.hasSettled)
        trial.note(.answeredPage(directory: Self.folder, next: "b"))
        #expect(!trial.hasSettled)
        _ = try trial.note(.requestDirectory(directory: Self.folder, after: "b"))
        trial.note(.answeredPage(directory: Self.folder, next: ""))
        #expect(trial.hasSettled)
    }

    @Test("A directory whose next page is not asked for is not read")
    mutating func pages() throws {
        _ = try trial.note(.beginObserving(Self.folder))
        _ = try trial.note(.requestDirectory(directory: Self.folder, after: ""))
        trial.note(.answeredPage(directory: Self.folder, next: "b"))
        #expect(!trial.hasReadPages)
        _ = try trial.note(.requestDirectory(directory: Self.folder, after: "b"))
        trial.note(.answeredPage(directory: Self.folder, next: ""))
        #expect(trial.hasReadPages && outcome(.pages) == .ok && outcome(.asksOnce) == .ok)
    }
}
