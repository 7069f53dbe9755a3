import MountProtocol
import RoundelBus
import Testing

@testable import Setup

@Suite struct DoctorTests {
    @Test(arguments: [
        (UInt32(192_536), UInt32(100), Finding.Verdict.good), (65_536, 65_000, .problem), (8_192, 10, .advice),
        (65_536, 0, .good),
    ])
    func watchLimitsAreJudgedByTheirUse(limit: UInt32, used: UInt32, verdict: Finding.Verdict) {
        let findings = WatchLimits(perUser: limit, used: used, unreliable: []).findings
        #expect(findings.map(\.verdict) == [verdict])
        #expect((findings[0].remedy != nil) == (verdict != .good))
    }

    @Test func theLimitThatIsAdvisedIsEnoughAndNeverLower() {
        let few = WatchLimits(perUser: 8_192, used: 8_000, unreliable: []).findings[0]
        #expect(few.remedy == .raiseWatchLimit(524_288))
        #expect(WatchLimits(perUser: 1_000_000, used: 999_999, unreliable: []).recommended >= 1_000_000)
        // What the kernel accepts at most, whatever the numbers are.
        for used in [1 << 30, UInt32.max] {
            #expect(WatchLimits(perUser: .max, used: used, unreliable: []).recommended == UInt32(Int32.max))
        }
    }

    @Test func foldersThatAreRescannedAreNamed() throws {
        let share = try ItemURI("file:///mnt/share")
        let findings = WatchLimits(perUser: 192_536, used: 1, unreliable: [share]).findings
        #expect(findings.count == 2 && findings[1].fact == .unwatchable(share))
    }

    @Test func theDesktopIsAskedForItsTrayNotificationsAndSidebar() {
        let bare = DesktopSurvey(names: [], cloudProviders: [], hasSidebar: true).findings
        #expect(bare.map(\.subject) == [.tray, .notifications, .sidebar])
        #expect(bare.allSatisfy { $0.verdict == .advice && $0.remedy != nil })
        let whole = DesktopSurvey(
            names: [DesktopSurvey.trayWatcher, DesktopSurvey.notifications],
            cloudProviders: ["[Cloud Providers]\nBusName=org.roundel.Roundel1\nObjectPath=/x\nVersion=1\n"],
            hasSidebar: true)
        #expect(whole.findings.allSatisfy { $0.verdict == .good })
        #expect(DesktopSurvey(names: [], cloudProviders: [], hasSidebar: false).findings.count == 2)
    }

    @Test(arguments: [
        (true, "/usr/bin/fusermount3", true, false), (true, nil, false, true), (false, nil, false, false),
    ])
    func whatFoldersOnDemandLackIsNamed(hasDevice: Bool, program: String?, isGood: Bool, canBeInstalled: Bool) {
        let finding = Doctor.finding(FuseSupport.found(hasDevice: hasDevice, program: program))
        #expect(finding.subject == .onDemand)
        #expect((finding.verdict == .good) == isGood)
        #expect((finding.remedy == .installFuse) == canBeInstalled)
    }
}
