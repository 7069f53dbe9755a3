/// What happens to a session.
package enum SessionEvent: Sendable {
    /// Begin: scan everything. First event of a session.
    case start
    /// The transfer of a `stage` effect, handed out before, now runs.
    case began(EffectID)
    /// An effect ended.
    case effect(EffectID, EffectResult)
    /// Progress of a `stage` effect: its bytes done so far.
    case progress(EffectID, bytesDone: Int64)
    /// The watcher saw changes: directories to list again (not below), and items; `isOverflow` means everything.
    case changed(Side, directories: [RelativePath], items: [RelativePath], isOverflow: Bool)
    /// A timer that the session set.
    case timer(SessionTimer)
    /// From the user, or from the worker on the user's behalf.
    case command(SessionCommand)
}

/// What a user can ask of a session.
package enum SessionCommand: Hashable, Sendable {
    /// Scan everything and sync; retry what failed.
    case syncNow
    /// As ``syncNow``, with answers to the questions that this run may ask.
    case syncAnswering(SyncAnswers)
    /// Finish what is in flight and begin nothing new until ``resume``.
    case pause
    /// Continue after ``pause``.
    case resume
    /// Carry out the deletions that the session stopped at, and no more than it asked about.
    case confirmDeletes
    /// Put back what these deletions took away, from the side that still has it, and no more than was asked about.
    case restoreDeleted
    /// Decide a conflict; either path of the pair names it.
    case resolve(NodeID, ConflictChoice)
    /// New exclude patterns.
    case setExcludes(ExcludePatterns)
    /// End: nothing new is begun; `finished` follows when nothing is in flight any more.
    case stop
}

/// Whose version of a conflict is to stay.
package enum ConflictChoice: UInt8, Hashable, Sendable {
    /// The local one gets the name; the other one goes to the trash or the replaced-store, a directory with all that
    /// is in it.
    case mine = 0
    /// The remote one keeps the name; the local one goes to the trash, a directory with all that is in it.
    case theirs = 1
    /// Both stay, each under its name.
    case both = 2
}

/// The timers of a session; setting one again replaces it.
package enum SessionTimer: Hashable, Sendable {
    /// Try again what failed or was busy.
    case retry
    /// Ready work has waited long enough for company.
    case publish
    /// Nothing else has gone missing for a while.
    case settle
}

/// The user's answers to the questions that a session may stop and ask; they count for one run only.
package struct SyncAnswers: OptionSet, Hashable, Sendable {
    /// One bit for each answer.
    package let rawValue: UInt8

    /// From the bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Carry out every deletion that this run finds.
    package static let confirmDeletes = SyncAnswers(rawValue: 1)
    /// The remote was restored from a backup: unite both sides and delete nothing.
    package static let unite = SyncAnswers(rawValue: 2)
    /// The older versions on the remote are meant: sync them like any other change.
    package static let acceptRemote = SyncAnswers(rawValue: 4)
    /// Put back every item whose deletion this run would ask about.
    package static let restoreDeleted = SyncAnswers(rawValue: 8)
}
