import ArgumentParser
import Glibc
import Setup

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: Help.Setup.abstract,
        discussion: Help.Setup.discussion)

    @Argument(
        help: ArgumentHelp(
            Text.onlyFileManagers(SupportedFileManager.all.map(\.program)), valueName: "file-manager"),
        completion: .list(SupportedFileManager.all.map(\.program)))
    var programs: [String] = []

    @Flag(help: ArgumentHelp(Help.Setup.emblems))
    var emblems = false

    @Flag(help: ArgumentHelp(Help.Setup.remove))
    var remove = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let known = SupportedFileManager.all.map(\.program)
        if let unknown = programs.first(where: { !known.contains($0) }) {
            throw ValidationError(Text.unknownFileManager(unknown, known: known))
        }
        if remove, emblems {
            throw ValidationError(Text.removingEmblems)
        }
    }

    func run() async throws {
        let setup = SetupRun(
            try .ofThisProgram(),
            managers: SupportedFileManager.all.filter { programs.isEmpty || programs.contains($0.program) },
            isForAll: programs.isEmpty)
        let report: SetupReport
        if getuid() == 0 {
            report = remove ? try setup.removeAsRoot() : try setup.putAsRoot()
        } else {
            let isInteractive = !output.json
            let offer: SetupRun.Offer = { isInteractive && RootOffer.make($0) }
            report = remove ? try await setup.remove(offer: offer) : try await setup.put(emblems: emblems, offer: offer)
        }
        let console = Console()
        if output.json {
            console.print(report.json)
        } else {
            for finding in report.findings { console.print(lines: finding.lines(on: console.terminal)) }
        }
        try finish(report.findings.contains { $0.verdict == .problem } ? .needsUser : .done)
    }
}
