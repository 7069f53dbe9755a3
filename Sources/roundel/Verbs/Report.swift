import ArgumentParser
import Client
import Glibc
import Setup
import Support
import SystemPackage

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: tr("Write what a bug report needs, without names."),
        discussion: tr(
            """
            Versions, the desktop, the number and kind of the synced folders, what `roundel doctor` finds, and the last \
            lines that the services logged, in English. Names, paths and addresses are not in it: of a logged line only \
            Roundel's own words stay. Nothing is sent anywhere. Read it before you pass it on.
            """))

    @Option(
        name: .long,
        help: ArgumentHelp(tr("Write it into a new file instead of printing it."), valueName: "file"),
        completion: .file())
    var output: String?

    func run() async throws {
        let text = try await ProblemReport.gather().text()
        guard let output else { return Console().write(text) }
        do {
            let file = try FileDescriptor.open(
                FilePath(output), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(text.utf8) }
        } catch {
            let code = (error as? Errno)?.rawValue ?? EIO
            throw CommandFailure(tr("“{1}” cannot be written: {2}.", output, SystemError.description(of: code)))
        }
    }
}
