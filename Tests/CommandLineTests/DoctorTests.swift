import SystemPackage
import Testing

@testable import roundel

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

    @Test func theSysctlLineIsExactAndNeverLowersTheLimit() {
        let few = WatchLimits(perUser: 8_192, used: 8_000, unreliable: []).findings[0]
        #expect(
            few.remedy
                == "echo fs.inotify.max_user_watches=524288 | sudo tee /etc/sysctl.d/60-roundel.conf "
                + "&& sudo sysctl --system")
        #expect(WatchLimits(perUser: 1_000_000, used: 999_999, unreliable: []).recommended >= 1_000_000)
    }

    @Test func foldersThatAreRescannedAreNamed() {
        let findings = WatchLimits(perUser: 192_536, used: 1, unreliable: ["/mnt/share"]).findings
        #expect(findings.count == 2 && findings[1].text.contains("/mnt/share"))
    }

    static func plugins(_ files: Set<String>, environment: [String: String] = [:]) -> Plugins {
        Plugins(
            exists: { files.contains($0.string) }, environment: { environment[$0] ?? ["PATH": "/usr/bin"][$0] },
            libraries: ["/usr/lib", "/usr/lib/x86_64-linux-gnu"], prefix: "/opt/roundel")
    }

    @Test func aFileManagerWithoutTheExtensionIsAProblemThatSaysWhatToDo() {
        let findings = DoctorTests.plugins([
            "/usr/bin/nemo", "/usr/lib/x86_64-linux-gnu/nemo/extensions-3.0",
            "/opt/roundel/lib/x86_64-linux-gnu/nemo/extensions-3.0/libroundel-nemo.so",
        ]).findings
        #expect(findings.map(\.verdict) == [.problem])
        #expect(
            findings[0].remedy
                == "sudo ln -s /opt/roundel/lib/x86_64-linux-gnu/nemo/extensions-3.0/libroundel-nemo.so "
                + "/usr/lib/x86_64-linux-gnu/nemo/extensions-3.0/ and start nemo again")
    }

    @Test func anInstalledExtensionIsFoundWhereTheFileManagerLooks() {
        let nemo = DoctorTests.plugins(["/usr/bin/nemo", "/usr/lib/nemo/extensions-3.0/libroundel-nemo.so"]).findings
        #expect(nemo.map(\.verdict) == [.good])
        let caja = DoctorTests.plugins(
            ["/usr/bin/caja", "/x/libroundel-caja.so"], environment: ["CAJA_EXTENSION_DIRS": "/y:/x"])
        #expect(caja.findings.map(\.verdict) == [.good])
        #expect(DoctorTests.plugins([]).findings.map(\.verdict) == [.advice])
    }

    @Test func dolphinNeedsBothOfItsPluginsOfOneGenerationOrTheOther() {
        let kf5 = "/usr/lib/x86_64-linux-gnu/qt5/plugins/kf5"
        let half = DoctorTests.plugins(["/usr/bin/dolphin", "\(kf5)/overlayicon/roundeloverlay.so"]).findings
        #expect(half.map(\.verdict) == [.problem])
        #expect(half[0].text.contains("roundelitemaction.so") && !half[0].text.contains("roundeloverlay.so"))
        let whole = DoctorTests.plugins([
            "/usr/bin/dolphin", "\(kf5)/overlayicon/roundeloverlay.so", "\(kf5)/kfileitemaction/roundelitemaction.so",
        ])
        #expect(whole.findings.map(\.verdict) == [.good])
        let named = DoctorTests.plugins(
            [
                "/usr/bin/dolphin", "/q/kf6/overlayicon/roundeloverlay.so",
                "/q/kf6/kfileitemaction/roundelitemaction.so",
            ],
            environment: ["QT_PLUGIN_PATH": "/p:/q"])
        #expect(named.findings.map(\.verdict) == [.good])
    }

    @Test func thunarHasAPluginForMenusAndNeedsTheHelperForEmblems() {
        let bare = DoctorTests.plugins(["/usr/bin/thunar"]).findings
        #expect(bare.map(\.verdict) == [.problem, .advice])
        let whole = DoctorTests.plugins([
            "/usr/bin/thunar", "/usr/bin/pcmanfm-qt", "/usr/lib/x86_64-linux-gnu/thunarx-3/libroundel-thunar.so",
            "/opt/roundel/bin/roundel-metadata",
        ]).findings
        #expect(whole.map(\.verdict) == [.good, .good])
        #expect(whole[1].text.contains("Thunar and PCManFM-Qt"))
    }

    @Test func theDesktopIsAskedForItsTrayNotificationsAndSidebar() {
        let bare = DesktopParts(names: [], cloudProviders: [], hasSidebar: true).findings
        #expect(bare.map(\.subject) == ["tray", "notifications", "sidebar"])
        #expect(bare.allSatisfy { $0.verdict == .advice && $0.remedy != nil })
        let whole = DesktopParts(
            names: [DesktopParts.trayWatcher, DesktopParts.notifications],
            cloudProviders: ["[Cloud Providers]\nBusName=org.roundel.Roundel1\nObjectPath=/x\nVersion=1\n"],
            hasSidebar: true)
        #expect(whole.findings.allSatisfy { $0.verdict == .good })
        #expect(DesktopParts(names: [], cloudProviders: [], hasSidebar: false).findings.count == 2)
    }
}
