/// Why nothing new is begun.
enum Halt: Hashable {
    /// A safeguard: a root is missing or another one. The message says what to do.
    case stopped(SessionStatus.StopReason, Explanation)
    /// A side cannot be reached.
    case offline(Explanation)
    /// So many deletions on that side wait for the user, after those that were carried out within the last hour.
    case confirmDeletes(count: Int, side: Side, before: Int)
    /// The remote looks restored from a backup.
    case restored(Restore)

    /// What the root shows, or worse. That a side cannot be reached is not wrong in itself: whoever knows which one it is
    /// may say that it is.
    var state: ItemSyncState {
        switch self {
        case .offline: .pending
        case .stopped, .confirmDeletes, .restored: .error
        }
    }
}

/// Signs that the remote was restored from a backup.
struct Restore: Hashable {
    /// Files that returned to a version they had before.
    var returned: Int
    /// Items that are missing.
    var missing: Int

    /// What a person reads about it.
    var message: Explanation { Explanation(.remoteRestored, .remote, "\(returned)", "\(missing)") }
}

/// So many items are missing on a side that the user has to confirm their deletion on the other one.
struct DeletionQuestion {
    var count: Int
    var missingOn: Side
    /// How many were deleted for that within the last hour.
    var before: Int
}

/// What the user wants done about deletions that wait.
enum DeletionAnswer: Hashable {
    /// Carry them out on the other side.
    case delete
    /// Put back, from the other side, what is missing.
    case putBack
}

/// Which of the pending deletions the user has answered.
enum Confirmation: Hashable {
    /// None.
    case none
    /// So many on that side.
    case deletions(Int, Side, DeletionAnswer)
    /// All that the present scan finds.
    case run(DeletionAnswer)

    /// The answer to a question; nil if it is still open.
    func answer(to question: DeletionQuestion) -> DeletionAnswer? {
        switch self {
        case .none: nil
        case .deletions(let count, let side, let answer):
            question.count <= count && question.missingOn.other == side ? answer : nil
        case .run(let answer): answer
        }
    }

    /// Whether the user was asked about what is missing on a side and wants it back: that holds also when so much has come
    /// there since that nobody would have to ask any more.
    func putsBack(missingOn side: Side) -> Bool {
        switch self {
        case .deletions(_, side.other, .putBack): true
        case .none, .deletions, .run: false
        }
    }
}
