import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the installation and say what to do.",
        discussion: """
            Looks at the bus, the services, the watch limits, the folders, the file managers' plugins, the tray, the \
            notifications, the sidebar and the icons. The exit status is 2 if something needs you. \
            With --json: [{"subject":…,"verdict":"good"|"advice"|"problem","text":…,"remedy":…}].
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let findings = try await Checks.run()
        let console = Console()
        if output.json {
            console.print(.array(findings.map(\.json)))
        } else {
            for finding in findings { console.print(lines: finding.lines(on: console.terminal)) }
        }
        try finish(findings.contains { $0.verdict == .problem } ? .needsUser : .done)
    }
}
