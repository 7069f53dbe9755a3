import ArgumentParser
import Checking
import Glibc
import RoundelBus
import Support
import SystemPackage

/// Whether a host keeps the rules.
struct CheckHostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-host",
        abstract: tr("Check a program that shows badges against the rules of the interface."),
        discussion: tr(
            """
            Plays the badge service on a bus of its own, for a folder with some files, and runs the command on that \
            bus; without one it prints the address and the folder to standard error, and waits for a program that \
            shows it. What the command prints goes to standard error, too. Gives badges, changes them, takes the \
            folder away and brings it back, ends and begins again, and says of each rule of \
            Documentation/specification.md that can be seen from outside whether it was kept. The program has to show \
            the folder all the time. The exit status is 1 if a rule is broken.
            """))

    @OptionGroup var output: OutputOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(tr("The program. {} in it is the folder that it has to show."), valueName: "command"))
    var command: [String] = []

    func run() async throws {
        let (words, isJSON) = (command, output.json)
        try await Interruptible.run {
            let session = try PrivateSession()
            defer { session.close() }
            let folder = try session.makeFolder("Folder", ["a", "b c", "below/", "ü", "z"])
            let stand = HostStand(folder: try ItemURI(path: FilePath(folder)))
            var play = try await HostPlay(stand, in: session)
            var program: CheckedProgram?
            if words.isEmpty {
                Console.ask("DBUS_SESSION_BUS_ADDRESS=\(session.address)\n\(folder)\n")
            } else {
                program = try session.start(words.map { $0.replacing("{}", with: folder) }, home: nil)
            }
            try await play.run(program)
            let report = CheckReport(verdicts: stand.trial.verdicts, isStrict: true)
            let console = Console()
            if isJSON {
                console.print(report.json([]))
            } else {
                console.print(lines: report.lines(on: console.terminal))
            }
            if !report.passes { throw ExitCode(ExitStatus.failed.rawValue) }
        }
    }
}
