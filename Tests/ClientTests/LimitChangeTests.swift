import Client
import RoundelBus
import Testing

@Suite struct LimitChangeTests {
    private static let night = LimitChange.Hours(from: 1_320, until: 360)
    private static let office = LimitChange.Hours(from: 480, until: 1_080, days: [.friday, .monday])

    private var use: SyncNetworkUse = {
        var use = SyncNetworkUse()
        (use.up, use.down, use.isAllowedOnMetered) = (100, 200, true)
        use.periods = [
            .init(from: 480, until: 1_080, days: ["mon", "fri"], up: 1, down: 2), .init(from: 1_320, until: 360, up: 3),
        ]
        return use
    }()

    private func applied(_ fill: (inout LimitChange) -> Void) -> SyncNetworkUse? {
        var (change, use) = (LimitChange(), use)
        fill(&change)
        return change.apply(to: &use) ? use : nil
    }

    @Test("What a change does not name stays")
    func kept() {
        #expect(LimitChange().isEmpty && applied { _ in } == use)
        let slower = applied { $0.up = 50 }
        #expect(slower?.up == 50 && slower?.down == 200 && slower?.periods == use.periods)
        #expect(applied { $0.isAllowedOnMetered = false }?.isAllowedOnMetered == false)
    }

    @Test("Hours that are known are changed, whatever the order of their days, and count before the others")
    func hours() {
        let night = applied { ($0.hours, $0.down) = (Self.night, 7) }
        #expect(night?.periods.map(\.from) == [1_320, 480])
        #expect(night?.periods.first?.up == 3 && night?.periods.first?.down == 7 && night?.up == 100)
        let office = applied { ($0.hours, $0.up) = (Self.office, 9) }
        #expect(office?.periods.count == 2 && office?.periods.first?.up == 9 && office?.periods.first?.down == 2)
        let other = applied { ($0.hours, $0.up) = (LimitChange.Hours(from: 480, until: 1_080), 9) }
        #expect(other?.periods.count == 3 && other?.periods.first?.down == nil)
    }

    @Test("Limits of hours are removed alone, all limits with those of every hour, and what is not there is refused")
    func removal() {
        let office = applied { ($0.hours, $0.removes) = (Self.office, true) }
        #expect(office?.periods.map(\.from) == [1_320] && office?.up == 100)
        #expect(applied { ($0.hours, $0.removes) = (LimitChange.Hours(from: 0, until: 60), true) } == nil)
        let none = applied { $0.removes = true }
        #expect(none?.up == 0 && none?.down == 0 && none?.periods == [] && none?.isAllowedOnMetered == true)
    }
}
