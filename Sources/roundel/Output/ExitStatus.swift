/// The exit status of a command.
enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    /// Done, but something needs the user: conflicts or errors.
    case needsUser = 2
    /// The arguments are not valid (sysexits.h).
    case usage = 64
}

/// Why a command failed: a sentence for the user.
struct CommandFailure: Error, Sendable, Equatable {
    let sentence: String
    let status: ExitStatus
    let code: ErrorCode

    /// - Parameter code: What it is for programs; nil for what the status says.
    init(_ sentence: String, status: ExitStatus = .failed, code: ErrorCode? = nil) {
        self.sentence = sentence
        self.status = status
        self.code = code ?? (status == .usage ? .usage : .failed)
    }
}
