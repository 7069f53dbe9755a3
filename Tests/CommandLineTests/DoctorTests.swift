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
}
