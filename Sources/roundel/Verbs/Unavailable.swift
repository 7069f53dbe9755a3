import ArgumentParser

/// A command of the contract whose part does not exist yet: it is refused with a sentence, whatever it is given.
protocol UnavailableCommand: ParsableCommand {
    /// What the command needs, as the subject of "does not exist in this version yet".
    static var missing: String { get }
}

extension UnavailableCommand {
    func run() throws {
        let name = Self.configuration.commandName ?? ""
        throw CommandFailure("`roundel \(name)` cannot be used: \(Self.missing) in this version yet.")
    }
}

struct VerifyCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "verify", abstract: "Not available yet.")
    static let missing = "comparing all contents with the remote does not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct LoginCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "login", abstract: "Not available yet.")
    static let missing = "remotes that one logs in to do not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct LogoutCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "logout", abstract: "Not available yet.")
    static let missing = "remotes that one logs in to do not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct FetchCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "fetch", abstract: "Not available yet.")
    static let missing = "placeholders do not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct FreeCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "free", abstract: "Not available yet.")
    static let missing = "placeholders do not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct PinCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Not available yet.")
    static let missing = "placeholders do not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}

struct UnpinCommand: UnavailableCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Not available yet.")
    static let missing = "placeholders do not exist"
    @Argument(parsing: .allUnrecognized) var arguments: [String] = []
}
