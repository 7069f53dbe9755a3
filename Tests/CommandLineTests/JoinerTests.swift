import DBus
import RoundelBus
import StandInServices
import SystemPackage
import TestSupport
import Testing

/// Parts that are translated one by one are put together as the language of the session does it.
@Suite(.serialized) struct JoinerTests {
    private let bus: PrivateBus
    private let directory: TemporaryDirectory

    init() throws {
        bus = try PrivateBus()
        directory = try TemporaryDirectory()
        let joiners = MoFile([", ": "、", "{1}: {2}.": "{1}：{2}。", "{1} ({2})": "{1}（{2}）", "{1}.{2}": "{1},{2}"])
        try directory.write(joiners.bytes, to: "data/locale/zh/LC_MESSAGES/roundel.mo")
    }

    private func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        let language = [
            "XDG_DATA_HOME": directory["data"].string, "LC_ALL": "en_US.UTF-8", "LANGUAGE": "zh",
        ]
        return try Program.run(arguments, environment: bus.environment.merging(language) { $1 })
    }

    @Test func theMembersOfAListHaveTheSeparatorOfTheLanguage() async throws {
        var result = SyncRunResult()
        (result.uploaded, result.conflicts, result.errors, result.state) = (2, 1, 3, "conflict")
        let worker = try await StandInWorker(on: bus, ["Sync": .values([.map(result.map)])])
        let run = try roundel("sync", "--wait")
        #expect(run.output == "Conflict：2 uploaded、1 conflict、3 failed。\n")
        await worker.connection.close()
    }

    @Test func bracketsAreThoseOfTheLanguage() async throws {
        let conflict = SyncConflict(folder: "f", uri: "file:///d/a", copyURI: "file:///d/b", kind: "edit-edit")
        let worker = try await StandInWorker(on: bus, ["Conflicts": .values([.maps([conflict.map])])])
        let run = try roundel("conflicts")
        #expect(run.output.split(separator: "\n").first == "/d/a（changed on both sides）")
        await worker.connection.close()
    }

    @Test func sizesHaveTheDecimalMarkOfTheLanguageAndJSONHasTheNumber() throws {
        try directory.write(String(repeating: "x", count: 4_200), to: "shown/file")
        let shown = directory["shown"].string
        #expect(try roundel("ls", shown).output.contains("4,2 kB"))
        let json = try roundel("ls", shown, "--json").output
        #expect(json.contains("4200") && !json.contains("4,2") && !json.contains("4.2"), "\(json)")
    }
}
