import ArgumentParser
import Glibc

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Make the installed file managers load Roundel's plugins, and start the service.",
        discussion: """
            Finds the file managers that are installed, puts each plugin where the program looks for it, has the badge \
            service start with the session, and says when each file manager is ready. Where root's rights are needed, \
            it prints one command, and on a terminal asks whether to run it. Run by root it does that part only, for \
            everybody. It may be run again at any time; --remove undoes it. The exit status is 2 if something needs you.
            With --json: {"file_managers":[{"id":…,"name":…,"state":"ready"|"next-start"|"next-login"|\
            "needs-administrator"|"not-built"|"unknown-place"|"removed"|"removed-next-start"|"stays","running":…}],\
            "service":{"enabled":…,"running":…,"problem":…}|null,"emblems":true|false|null,"command":…|null}.
            """)

    @Argument(
        help: ArgumentHelp(
            "These only: \(SupportedFileManager.all.map(\.program).joined(separator: ", ")).", valueName: "file-manager"
        ))
    var programs: [String] = []

    @Flag(help: "Also have emblems written for Thunar and PCManFM-Qt, by roundel-metadata.")
    var emblems = false

    @Flag(help: "Undo it all, and end the services.")
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
            installation: try .ofThisProgram(),
            managers: SupportedFileManager.all.filter { programs.isEmpty || programs.contains($0.program) },
            isForAll: programs.isEmpty, isInteractive: !output.json)
        let report: SetupReport
        if getuid() == 0 {
            report = remove ? try setup.removeAsRoot() : try setup.putAsRoot()
        } else {
            report = remove ? try await setup.remove() : try await setup.put(emblems: emblems)
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
