/// Why nothing new is started.
enum Halt: Hashable {
    /// A safeguard: a root is missing or was replaced. The message tells the user what to do.
    case stopped(SessionStatus.StopReason, Explanation)
    /// A side cannot be reached.
    case offline(Explanation)
    /// This many deletions on that side wait for the user, in addition to those of the last hour.
    case confirmDeletes(count: Int, side: Side, before: Int)
    /// The remote looks restored from a backup.
    case restored(Restore)

    /// Whether it is only that a side cannot be reached.
    var isOffline: Bool {
        switch self {
        case .offline: true
        case .stopped, .confirmDeletes, .restored: false
        }
    }

    /// The least state that the root shows. An unreachable side alone is not an error: other parts of the program,
    /// which know the side, may report it as one.
    var state: ItemSyncState {
        switch self {
        case .offline: .pending
        case .stopped, .confirmDeletes, .restored: .error
        }
    }

    /// The message for the user.
    var message: Explanation {
        switch self {
        case .stopped(_, let message), .offline(let message): message
        case .restored(let restore): restore.message
        case .confirmDeletes(let count, let side, let before):
            Explanation(.deletionsWait, side, "\(count)", "\(before)")
        }
    }
}

/// Signs that the remote was restored from a backup.
struct Restore: Hashable {
    /// Files that returned to a version they had before.
    var returned: Int
    /// Items that are missing.
    var missing: Int

    /// The message for the user.
    var message: Explanation { Explanation(.remoteRestored, .remote, "\(returned)", "\(missing)") }
}

/// So many items are missing on one side that the user must confirm their deletion on the other.
struct DeletionQuestion {
    var count: Int
    var missingOn: Side
    /// How many were deleted for the same reason within the last hour.
    var before: Int
}

/// The user's answer to pending deletions.
enum DeletionAnswer: Hashable {
    /// Carry them out on the other side.
    case delete
    /// Put back what is missing, from the other side.
    case putBack
}

/// The user's answer about a root in place of the known one.
enum RootAnswer: Hashable {
    /// It is the known one, whatever became of its mark: what is missing in it was deleted.
    case same
    /// It is another one: merge both sides and delete nothing.
    case unite
}

/// Which pending deletions the user has answered.
enum Confirmation: Hashable {
    /// None.
    case none
    /// At most this many on that side.
    case deletions(Int, Side, DeletionAnswer)
    /// All that the current scan finds.
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

    /// Whether the user was asked about missing items on a side and wants them back. This holds even if so many have
    /// reappeared since that the question would no longer be asked.
    func putsBack(missingOn side: Side) -> Bool {
        switch self {
        case .deletions(_, side.other, .putBack): true
        case .none, .deletions, .run: false
        }
    }
}
