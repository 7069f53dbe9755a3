import ArgumentParser
import Glibc
import Setup
import Support

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: tr("Make the installed file managers load Roundel's plugins, and start the service."),
        discussion: tr(
            """
            Finds the file managers that are installed, puts each plugin where the program looks for it, has the \
            badge service start with the session, and says when each file manager is ready. Where root's rights are \
            needed, it prints one command, and on a terminal asks whether to run it. Run by root it does that part \
            only, for everybody. It may be run again at any time; --remove undoes it. The exit status is 2 if \
            something needs you.
            """))

    @Argument(
        help: ArgumentHelp(
            tr("These only: {1}.", TextList.of(SupportedFileManager.all.map(\.program))),
            valueName: "file-manager"),
        completion: .list(SupportedFileManager.all.map(\.program)))
    var programs: [String] = []

    @Flag(help: ArgumentHelp(tr("Also have emblems written for Thunar and PCManFM-Qt, by roundel-metadata.")))
    var emblems = false

    @Flag(help: ArgumentHelp(tr("Undo it all, and end the services.")))
    var remove = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let known = SupportedFileManager.all.map(\.program)
        if let unknown = programs.first(where: { !known.contains($0) }) {
            throw ValidationError(
                tr("There is no plugin for “{1}”; there are some for {2}.", unknown, TextList.of(known)))
        }
        if remove, emblems {
            throw ValidationError(tr("--remove takes the emblems away, too; --emblems has no meaning there."))
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
