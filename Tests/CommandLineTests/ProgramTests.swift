import ArgumentParser
import Support
import TestSupport
import Testing

@testable import roundel

@Suite struct ProgramTests {
    static let verbs = Roundel.configuration.subcommands.compactMap { $0.configuration.commandName }

    @Test(arguments: verbs)
    func everyVerbExplainsItself(verb: String) throws {
        let help = try Program.run([verb, "--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("OVERVIEW: ") && help.output.contains("roundel \(verb)"))
    }

    @Test(
        "ROUNDEL_LOG=debug says what is asked of the services, on the standard error alone", arguments: [true, false])
    func debugging(isDebugging: Bool) throws {
        let bus = try PrivateBus()
        let variables = isDebugging ? ["ROUNDEL_LOG": "debug"] : [:]
        let outcome = try Program.run(
            ["list"], environment: bus.environment.merging(variables) { $1 })
        #expect(
            outcome.errors.contains(
                "<7>roundel: call org.roundel.SyncWorker1 org.roundel.Roundel1.Engine.Folders.ListFolders")
                == isDebugging)
        #expect(!outcome.output.contains("<7>"))
    }

    @Test(
        "What is wrong with the arguments is told without what in them would control the terminal or forge a line",
        arguments: [
            ["list", "a\u{1b}[31mb"], ["--x\u{1b}]0;t\u{7}"], ["sync", "--timeout", "\u{1b}[2J"],
            ["list", "a\nError: forged"],
        ])
    func argumentsInUsageErrors(arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
        #expect(!outcome.errors.unicodeScalars.contains { $0 != "\n" && DisplayText.needsEscape($0) }, "\(outcome)")
        #expect(!outcome.errors.contains("\nError: forged"))
    }

    @Test(arguments: [
        ["badge"], ["nonsense"], ["sync", "--timeout", "3"], ["sync", "--wait", "--timeout", "-1"],
        ["badge", "http://x/y"],
        ["badge", "file:///a/../b"], ["badge", ""], ["resolve", "/x", "maybe"], ["menu", "side"],
        ["exclude", "/x", "--remove"],
        ["menu", "items"], ["activity", "-n", "0"], ["badge", "--what", "/x"], ["setup", "konqueror"],
        ["setup", "--remove", "--emblems"], ["fetch"], ["add", "/a", "/b", "--trash-uploaded"],
        ["on-demand", "/x", "--free-below", "much"], ["on-demand", "/x", "--off", "--free-unused", "3"], ["why"],
    ])
    func wrongUsageIsExitStatus64(arguments: [String]) throws {
        let wrong = try Program.run(arguments)
        #expect(wrong.status == 64)
        #expect(wrong.output.isEmpty && !wrong.errors.isEmpty)
    }

    @Test(arguments: [["list"], ["badge", "/x"], ["status"], ["providers"]])
    func withoutABusEachCommandSaysSo(arguments: [String]) throws {
        let failed = try Program.run(arguments)
        #expect(failed.status == 1)
        #expect(failed.errors.hasPrefix("roundel: There is no session bus"))
    }

    @Test func theVersionIsPrinted() throws {
        let version = try Program.run(["--version"])
        #expect(version.status == 0 && version.output.hasPrefix("roundel "))
    }

    @Test func aServiceThatIsMissingIsNamedWithHowToStartIt() throws {
        let bus = try PrivateBus()
        let badge = try Program.run(["badge", "/x"], environment: bus.environment)
        #expect(badge.status == 1)
        #expect(badge.errors.contains("The badge service") && badge.errors.contains("roundeld &"))
        let list = try Program.run(["list"], environment: bus.environment)
        #expect(list.status == 1)
        #expect(list.errors.contains("The sync worker") && list.errors.contains("roundel-worker &"))
        let doctor = try Program.run(["doctor", "--json"], environment: bus.environment)
        #expect(doctor.status == 2)
        #expect(doctor.output.contains(#"{"subject":"bus","verdict":"good""#))
        #expect(doctor.output.contains(#"{"subject":"service","verdict":"problem""#))
    }
}
