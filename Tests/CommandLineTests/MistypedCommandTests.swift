import TestSupport
import Testing

@testable import roundel

@Suite struct MistypedCommandTests {
    private func mistake(_ words: String) -> MistypedCommand? {
        MistypedCommand(in: words.split(separator: " ").map(String.init), of: Roundel.self)
    }

    @Test(arguments: [
        ("stauts", "status"), ("status", nil), ("stat", "status"), ("Status", "status"), ("sycn", "sync"),
        ("sync /x --wait", nil), ("trash lst", "trash list"), ("trash", nil), ("git ad /x", "git add"),
        ("providers enbale x", "providers enable"), ("delete /x", "remove"), ("log", "activity"),
        ("undelete", "trash restore"), ("probelms", "problems"), ("on-demnad", "on-demand"), ("ondemand", "on-demand"),
        ("help resmue", "resume"), ("help status", nil), ("--version", nil), ("--jsno", nil), ("lss", "ls"), ("", nil),
        ("-h", nil), ("trash --json lst", nil),
    ])
    func whatWasMeant(words: String, meant: String?) { #expect(mistake(words)?.suggestion == meant, "\(words)") }

    @Test(arguments: ["frobnicate", "xy", "q", "trash zzzz", "/home/x", "日本", "x\u{1b}[31m"])
    func whatIsLikeNoCommandHasNoSuggestion(words: String) {
        #expect(mistake(words) != nil && mistake(words)?.suggestion == nil)
    }

    @Test(arguments: ProgramTests.verbs)
    func everyCommandIsOne(verb: String) { #expect(mistake(verb) == nil && mistake("help " + verb) == nil) }

    @Test func aNeighbourIsOneChangeAway() {
        let words = [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xyz", 3)]
        for (first, second, distance) in words {
            #expect(EditDistance.between(first, second) == distance && EditDistance.between(second, first) == distance)
        }
    }

    @Test func itIsSaidInOneLine() throws {
        let wrong = try Program.run(["stauts", "/x"])
        #expect(wrong.status == 64 && wrong.output.isEmpty)
        #expect(wrong.errors == "roundel: There is no command “stauts”. Did you mean “status”?\n")
        let help = try Program.run(["help", "frobnicate"])
        #expect(help.status == 64 && help.errors == "roundel: There is no command “frobnicate”. See: roundel --help\n")
        let group = try Program.run(["trash", "zzzz"])
        #expect(group.errors == "roundel: There is no command “trash zzzz”. See: roundel trash --help\n")
        let option = try Program.run(["status", "--wacth"])
        #expect(option.status == 64 && option.errors.contains("Did you mean '--watch'?"))
    }
}

/// With `--json`, errors are JSON as well.
@Suite struct ErrorReportTests {
    @Test(arguments: [
        (["stauts", "--json"], 64, #"{"error":{"code":"usage","message":"There is no command “stauts”."#),
        (["status", "--json", "--wacth"], 64, #"{"error":{"code":"usage","message":"Unknown option '--wacth'."#),
        (["pause", "--json", "--for", "x"], 64, #"{"error":{"code":"usage","message":"“x” is no length of time."#),
        (["ls", "--json", "/nowhere"], 1, #"{"error":{"code":"unreadable","message":"“/nowhere” cannot be listed:"#),
        (["list", "--json"], 1, #"{"error":{"code":"no-session-bus","message":"There is no session bus"#),
    ])
    func everyErrorHasACode(arguments: [String], status: Int32, beginning: String) throws {
        let failed = try Program.run(arguments)
        #expect(failed.status == status && failed.output.isEmpty, "\(failed)")
        #expect(failed.errors.hasPrefix(beginning), "\(failed)")
        #expect(failed.errors.hasSuffix("}}\n") && failed.errors.filter { $0 == "\n" }.count == 1, "\(failed)")
    }

    @Test func whatFollowsAnOperandMarkIsNoOption() throws {
        let failed = try Program.run(["list", "--", "--json"])
        #expect(failed.status == 64 && failed.errors.hasPrefix("Error: "), "\(failed)")
    }

    @Test func theErrorsOfServicesKeepTheirNames() throws {
        let bus = try PrivateBus()
        let missing = try Program.run(["list", "--json"], environment: bus.environment)
        #expect(missing.errors.hasPrefix(#"{"error":{"code":"not-started","message":"#), "\(missing)")
        let outside = try Program.run(["why", "--json", "/x"], environment: bus.environment)
        #expect(outside.errors.hasPrefix(#"{"error":{"code":""#), "\(outside)")
    }
}
