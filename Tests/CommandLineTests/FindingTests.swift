import RoundelBus
import Support
import Testing

@testable import Setup
@testable import roundel

/// What `roundel doctor` and `roundel setup` print of a finding.
@Suite struct FindingTests {
    @Test func theSysctlLineIsExact() {
        #expect(
            Finding.Remedy.raiseWatchLimit(524_288).text
                == "echo fs.inotify.max_user_watches=524288 | sudo tee /etc/sysctl.d/60-roundel.conf "
                + "&& sudo sysctl --system")
    }

    @Test("A command can be pasted, wherever Roundel is installed")
    func commands() {
        #expect(Finding.Remedy.setUp(command: "roundel", emblems: false).text == "roundel setup")
        #expect(Finding.Remedy.setUp(command: "roundel", emblems: true).text == "roundel setup --emblems")
        #expect(Finding.Remedy.setUp(command: "/a b/roundel", emblems: false).text == "'/a b/roundel' setup")
        #expect(Finding.Remedy.runAsRoot(["sudo", "/a b/roundel", "--remove"]).text == "sudo '/a b/roundel' --remove")
    }

    @Test func aFolderThatIsRescannedIsNamed() throws {
        #expect(Finding.Fact.unwatchable(try ItemURI("file:///mnt/share")).text.contains("“/mnt/share”"))
    }

    @Test func aProcessThatGoesOnWithoutAWindowIsToldHowToEndIt() {
        let nemo = SupportedFileManager.all.first { $0.program == "nemo" }
        let sentence = PluginReport.pluginNextStart("Nemo", quit: nemo?.quit)
        #expect(sentence.hasSuffix("end it with: nemo -q"))
    }

    @Test func jsonKeysAreStable() {
        let finding = Finding(.worker, .problem, .workerKept(.said("The database is damaged.")))
        #expect(
            finding.json.text
                == #"{"subject":"worker","verdict":"problem","text":"The database is damaged.","remedy":null}"#)
        #expect(finding.isFatal)
        let report = EmblemReport(names: ["Thunar"], isInstalled: true, isRunning: false, command: "roundel")
        #expect(Finding.Fact.emblems(report).text == "Thunar: emblems are off.")
        let service = ServiceReport(isEnabled: false, problem: .failed(.helperEnded("roundel-metadata")))
        #expect(Finding.Fact.service(service).text == "roundel-metadata was started and does not run.")
    }
}
