import ArgumentParser
import Setup
import Support

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: tr("Check the installation and say what to do."),
        discussion: tr(
            """
            Looks at the bus, the services, the watch limits, the folders, what folders on demand need, the file \
            managers' plugins, the tray, the notifications, the sidebar and the icons. The exit status is 2 if something needs you.
            """))

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let findings = try await Doctor.examine()
        let console = Console()
        if output.json {
            console.print(.array(findings.map(\.json)))
        } else {
            for finding in findings { console.print(lines: finding.lines(on: console.terminal)) }
        }
        if findings.contains(where: \.isFatal) { try finish(.failed) }
        try finish(findings.contains { $0.verdict == .problem } ? .needsUser : .done)
    }
}
