import RoundelBus
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("What a person chose, on disk")
struct SettingsTests {
    let files: TemporaryDirectory
    let file: FilePath

    init() throws {
        files = try TemporaryDirectory()
        file = WorkerBench.places(files).settings
    }

    static func folder(_ id: String) -> FolderSettings {
        var network = NetworkUse()
        (network.plan.up, network.plan.down, network.isAllowedOnMetered) = (.max, 1, true)
        network.plan.periods = [
            BandwidthPlan.Period(from: 0, until: .max, days: Weekday.allCases, up: 0),
            .init(from: 5, until: 4, down: .max),
        ]
        return FolderSettings(
            id: id, uri: "file:///home/%FF", remote: "/mnt/“x”\n", label: "Ä", paused: true,
            excludes: ["*.o", "%FF"], added: .max, traits: ["x"], network: network)
    }

    @Test("Without a file there are new settings, with a tag of four characters and no folders")
    func absent() throws {
        let settings = try WorkerSettings.load(file)
        #expect(settings.folders.isEmpty && settings.tag.utf8.count == 4)
        #expect(settings.tag.utf8.allSatisfy { (0x32...0x5A).contains($0) })
        #expect(!files.exists(WorkerBench.settingsFile))
    }

    @Test("What was saved is loaded, with every field, also over an older file")
    func roundTrip() throws {
        var settings = WorkerSettings()
        try settings.save(file)
        settings.folders = [Self.folder("f1"), Self.folder("f2")]
        try settings.save(file)
        #expect(try WorkerSettings.load(file) == settings)
    }

    @Test(
        "A damaged file is refused with a sentence that names it, and stays as it is",
        arguments: [
            "", "{", "[]", "{\"folders\":[]}", "{\"tag\":1,\"folders\":[]}", "\u{0}\u{0}\u{0}", "{\"tag\":\"AB",
        ])
    func damaged(text: String) throws {
        try files.write(text, to: WorkerBench.settingsFile)
        do {
            _ = try WorkerSettings.load(file)
            Issue.record("it was understood")
        } catch {
            #expect(error.message.contains(file.string) && error.message.contains("move it aside"))
        }
        #expect(throws: WorkerError.self) { _ = try WorkerBench(files: files) }
        #expect(try files.read(WorkerBench.settingsFile) == text)
    }

    @Test("A file that cannot be read or written is an error with a sentence")
    func notAFile() throws {
        try files.makeDirectory(WorkerBench.settingsFile)
        do {
            _ = try WorkerSettings.load(file)
            Issue.record("a directory was read")
        } catch { #expect(error.message.contains(file.string)) }
        do {
            try WorkerSettings().save(file)
            Issue.record("a directory was replaced")
        } catch { #expect(error.code == .failed && error.message.contains(file.string)) }
    }

    @Test("The places follow the XDG directories; relative ones are ignored")
    func places() {
        let home = WorkerPlaces(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": ""])
        #expect(home.settings == "/h/.config/roundel/folders.json")
        #expect(home.state == "/h/.local/state/roundel/worker" && home.dataHome == "/h/.local/share")
        #expect(home.state(of: "f1") == "/h/.local/state/roundel/worker/f1")
        let named = WorkerPlaces(environment: ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d"])
        #expect(named.settings == "/c/roundel/folders.json" && named.state == "/s/roundel/worker")
        #expect(named.dataHome == "/d")
    }
}
