/// An event for a session.
package enum SessionEvent: Sendable {
    /// Start and scan everything. The first event of a session.
    case start
    /// The transfer of a `stage` effect that was handed out has started.
    case began(EffectID)
    /// An effect ended.
    case effect(EffectID, EffectResult)
    /// Progress of a `stage` effect: the bytes done so far.
    case progress(EffectID, bytesDone: Int64)
    /// The watcher saw changes: directories to list again (not below), and items; `isOverflow` means everything.
    case changed(Side, directories: [RelativePath], items: [RelativePath], isOverflow: Bool)
    /// A timer that the session set has fired.
    case timer(SessionTimer)
    /// A command of the user, or of the worker on the user's behalf.
    case command(SessionCommand)
}

/// What a user can ask of a session.
package enum SessionCommand: Hashable, Sendable {
    /// Scan everything and sync; retry what failed.
    case syncNow
    /// Like ``syncNow``, with answers to questions that this run may ask.
    case syncAnswering(SyncAnswers)
    /// Finish what is in flight and start nothing new until ``resume``.
    case pause
    /// Continue after ``pause``.
    case resume
    /// Carry out the deletions that the session held back, but no more than it asked about.
    case confirmDeletes
    /// Put back the items of these deletions from the side that still has them, but no more than was asked about.
    case restoreDeleted
    /// The contents of these files were found to differ between the sides: what they are must be found out again.
    case doubt([NodeID])
    /// Have the contents of these items, of directories everything in them, where the user wants them.
    case wish(Wish, for: [NodeID])
    /// Have contents here or at the remote alone, once and now. Exactly one ``DemandReport/ended(_:_:)`` with this number
    /// follows. A paused folder does it as well: only what nobody asked for is paused.
    case demand(DemandID, Demand)
    /// A demand is not wanted any more: what runs for it alone is abandoned. One that is over is ignored.
    case withdraw(DemandID)
    /// Decide a conflict; either path of the pair identifies it.
    case resolve(NodeID, ConflictChoice)
    /// Use new exclude patterns.
    case setExcludes(ExcludePatterns)
    /// Stop: nothing new is started; `finished` follows once nothing is in flight.
    case stop
}

/// Which version of a conflict to keep.
package enum ConflictChoice: UInt8, Hashable, Sendable {
    /// The local one gets the name; the other one goes to the trash or the store of replaced versions, a directory with
    /// its contents.
    case mine = 0
    /// The remote one keeps the name; the local one goes to the trash, a directory with its contents.
    case theirs = 1
    /// Both are kept, each under its own name.
    case both = 2
}

/// The timers of a session; setting one again replaces it.
package enum SessionTimer: Hashable, Sendable {
    /// Try again what failed or was busy.
    case retry
    /// Ready operations have waited long enough for others to join them.
    case publish
    /// Nothing else has disappeared for a while.
    case settle
    /// A demand may concern more files than were looked at in one event.
    case demand
}

/// The user's answers to questions for which a session may stop; they apply to one run only.
package struct SyncAnswers: OptionSet, Hashable, Sendable {
    /// One bit for each answer.
    package let rawValue: UInt8

    /// From the bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Carry out every deletion that this run finds.
    package static let confirmDeletes = SyncAnswers(rawValue: 1)
    /// The remote was restored from a backup, or another root is in the place of the known one: merge both sides and
    /// delete nothing.
    package static let unite = SyncAnswers(rawValue: 2)
    /// The older versions on the remote are intended: sync them like any other change.
    package static let acceptRemote = SyncAnswers(rawValue: 4)
    /// Put back every item whose deletion this run would ask about.
    package static let restoreDeleted = SyncAnswers(rawValue: 8)
    /// The root that was found in place of the known one is the known one.
    package static let sameRoot = SyncAnswers(rawValue: 16)
}
