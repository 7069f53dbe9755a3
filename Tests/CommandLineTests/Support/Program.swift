import TestSupport

/// The real binary, run by a test with few variables of the test's own.
enum Program {
    /// Starts `roundel` with these arguments.
    static func start(
        _ arguments: [[UInt8]], directory: String = "/", environment: [String: String] = [:]
    ) throws -> RunningProgram {
        var variables = RunningProgram.inheritedEnvironment
        variables["HOME"] = nil
        return try RunningProgram(
            [Array(BuiltPrograms.path("roundel").utf8)] + arguments,
            environment: variables.merging(environment) { $1 }, directory: directory)
    }

    /// Runs `roundel` to its end.
    static func run(
        _ arguments: [String], directory: String = "/", environment: [String: String] = [:]
    ) throws -> RunningProgram.Outcome {
        try run(bytes: arguments.map { Array($0.utf8) }, directory: directory, environment: environment)
    }

    /// Runs `roundel` with arguments of any bytes to its end.
    static func run(
        bytes arguments: [[UInt8]], directory: String = "/", environment: [String: String] = [:]
    ) throws -> RunningProgram.Outcome {
        try start(arguments, directory: directory, environment: environment).finish()
    }
}
