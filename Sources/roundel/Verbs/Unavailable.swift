import ArgumentParser

/// A command of the contract whose part does not exist yet: it is refused with a sentence, whatever it is given.
protocol UnavailableCommand: ParsableCommand {
    /// Why a command of this name cannot be used.
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
