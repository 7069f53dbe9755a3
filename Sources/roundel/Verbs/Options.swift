import ArgumentParser
import Support

/// The option of every command that prints information.
struct OutputOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(tr("Print JSON: one document, or one for each line with --watch.")))
    var json = false
}

extension ParsableArguments {
    /// Ends the command with a status other than "done".
    func finish(_ status: ExitStatus) throws {
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Reports to the user which sync engines failed, and ends the command as failed; without failures as a status says.
    func finish(_ failures: [any Error], else status: ExitStatus = .done) throws {
        for failure in failures { Console.complain(failure) }
        try finish(failures.isEmpty ? status : .failed)
    }
}
