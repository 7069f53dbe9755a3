import ArgumentParser

/// The option of every command that prints information.
struct OutputOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(Help.Output.json))
    var json = false
}

extension ParsableCommand {
    /// Ends the command with a status other than "done".
    func finish(_ status: ExitStatus) throws {
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
