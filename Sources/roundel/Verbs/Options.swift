import ArgumentParser

/// The option of every command that prints facts.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one document, or one for each line with --watch.")
    var json = false
}

extension ParsableCommand {
    /// Ends the command with a status other than "done".
    func finish(_ status: ExitStatus) throws {
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
