import ArgumentParser
import Setup
import Support

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: Help.Doctor.abstract,
        discussion: Help.Doctor.discussion)

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
