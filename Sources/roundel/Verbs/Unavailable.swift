import ArgumentParser

/// A command that is planned but not implemented yet: it fails with a sentence, whatever its arguments.
protocol UnavailableCommand: ParsableCommand {
    /// The sentence that explains why a command with this name cannot be used.
    static func refusal(_ command: String) -> String
}

extension UnavailableCommand {
    func run() throws {
        throw CommandFailure(Self.refusal(Self.configuration.commandName ?? ""))
    }
}

struct FetchCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "fetch", abstract: Help.Fetch.abstract)
    static func refusal(_ command: String) -> String { Text.noPlaceholders(command) }
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct FreeCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "free", abstract: Help.Free.abstract)
    static func refusal(_ command: String) -> String { Text.noPlaceholders(command) }
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct PinCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: Help.Pin.abstract)
    static func refusal(_ command: String) -> String { Text.noPlaceholders(command) }
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct UnpinCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: Help.Unpin.abstract)
    static func refusal(_ command: String) -> String { Text.noPlaceholders(command) }
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}
