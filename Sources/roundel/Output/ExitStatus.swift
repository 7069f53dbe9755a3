/// What a command ends with.
enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    /// Done, but something needs the user: conflicts or errors.
    case needsUser = 2
    /// The arguments make no sense (sysexits.h).
    case usage = 64
}

/// Why a command could not do what it was asked to: a sentence for the person.
struct CommandFailure: Error, Sendable, Equatable {
    let sentence: String
    let status: ExitStatus

    init(_ sentence: String, status: ExitStatus = .failed) {
        self.sentence = sentence
        self.status = status
    }
}
