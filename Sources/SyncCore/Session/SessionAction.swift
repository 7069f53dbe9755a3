/// An action that a session requests. The caller carries actions out in order.
package enum SessionAction: Hashable, Sendable {
    /// Start an effect; its result is returned as an event with this id.
    case run(EffectID, Effect)
    /// An effect that was handed out now or before is more urgent than others.
    case hasten(EffectID, Urgency)
    /// Nobody wants the result of a transfer that was handed out: it may fail at once.
    case abandon(EffectID)
    /// How far a demand is, or how it ended.
    case demand(DemandID, DemandReport)
    /// Deliver `timer` after this time: whole milliseconds, at least one.
    case setTimer(SessionTimer, after: Duration)
    /// States that changed; ancestors come after their contents.
    case publish([StateChange])
    /// The status of the folder changed.
    case folderStatus(SessionStatus)
    /// Something happened that the user may want to read later.
    case activity(Activity)
    /// The run is over: everything is done, or waits for the user or a timer. Contains what the run did.
    case quiescent(RunSummary)
    /// The session ended after `stop`.
    case finished
}

/// The new state of one item.
package struct StateChange: Hashable, Sendable {
    /// The item.
    package var node: NodeID
    /// Its directory.
    package var parent: NodeID
    /// Its name in that directory.
    package var name: EntryName
    /// Its state; nil if it is gone.
    package var state: ItemSyncState?
    /// 0 to 100 while it is being transferred, otherwise nil.
    package var progress: UInt8?
    /// What else is shown of it.
    package var marks: ItemMarks

    /// A change.
    package init(
        node: NodeID, parent: NodeID, name: EntryName, state: ItemSyncState?, progress: UInt8? = nil,
        marks: ItemMarks = []
    ) {
        self.node = node
        self.parent = parent
        self.name = name
        self.state = state
        self.progress = progress
        self.marks = marks
    }
}

/// The state of a folder as a whole.
package struct SessionStatus: Hashable, Sendable {
    /// What a folder is doing.
    package enum Phase: Hashable, Sendable {
        /// Nothing is to be done.
        case idle
        /// Looking for changes.
        case looking
        /// Transferring, moving, deleting.
        case syncing
        /// Paused by the user.
        case paused
        /// The remote cannot be reached.
        case offline
        /// Stopped by a safeguard; the message says what to do.
        case stopped
        /// Stopped before this many deletions on that side, until they are confirmed.
        case confirmDeletes(count: Int, side: Side)
    }

    /// Why a folder stopped, according to what the user must do about it.
    package enum StopReason: String, Hashable, Sendable {
        /// The folder on this computer is missing.
        case rootMissing = "root-missing"
        /// Another directory is in its place.
        case rootReplaced = "root-replaced"
        /// The remote directory is missing.
        case remoteMissing = "remote-missing"
        /// Another directory is in its place on the remote.
        case remoteReplaced = "remote-replaced"
        /// The remote looks restored from a backup.
        case remoteRestored = "remote-restored"

        /// Whether another root is in the place of the known one, which the user may say to be the same.
        package var isStranger: Bool {
            switch self {
            case .rootReplaced, .remoteReplaced: true
            case .rootMissing, .remoteMissing, .remoteRestored: false
            }
        }
    }

    /// What it is doing.
    package var phase: Phase
    /// With ``Phase/stopped``: the reason; nil if it does not concern a root.
    package var stopReason: StopReason?
    /// With ``Phase/confirmDeletes(count:side:)``: how many items were deleted there within the last hour, which count
    /// too.
    package var deletedBefore = 0
    /// Whether a directory could not be listed, so that nobody knows whether what is in it is synced.
    package var isPartlyUnknown = false
    /// The worst state of its items.
    package var state: ItemSyncState
    /// The counts of its items that are not simply synced.
    package var counts: StateCounts
    /// The message for the user.
    package var message: Explanation

    /// A status.
    package init(phase: Phase, state: ItemSyncState, counts: StateCounts, message: Explanation = .nothing) {
        self.phase = phase
        self.state = state
        self.counts = counts
        self.message = message
    }
}

/// One thing that was done, as its result shows.
package struct Activity: Hashable, Sendable {
    /// What was done.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A file was copied to the remote.
        case uploaded
        /// A file was copied from the remote.
        case downloaded
        /// An item was moved on one of the sides.
        case moved
        /// The permissions of an item were changed on one side, because they were changed on the other.
        case permissions
        /// An item lost something, such as an attribute; the detail says what.
        case notKept = "not-kept"
        /// An item was moved to the local trash because it was deleted on the remote.
        case deletedLocal = "deleted-local"
        /// An item was deleted on the remote because it was deleted on this computer.
        case deletedRemote = "deleted-remote"
        /// A local version was renamed because it conflicts with the remote one.
        case conflict
        /// A person had the item copied to a place outside of syncing; the detail says which.
        case copiedOut = "copied-out"
        /// Something failed.
        case error
    }

    /// What was done.
    package var kind: Kind
    /// The item.
    package var node: NodeID
    /// Its path.
    package var path: RelativePath
    /// Details for the user: the old path of a move, otherwise a stored explanation.
    package var detail: String

    /// An activity.
    package init(kind: Kind, node: NodeID, path: RelativePath, detail: String = "") {
        self.kind = kind
        self.node = node
        self.path = path
        self.detail = detail
    }
}

/// What a run did, counted from the results of its effects.
package struct RunSummary: Hashable, Sendable {
    /// Files that were copied to the remote.
    package var uploaded = 0
    /// Files that were copied from the remote.
    package var downloaded = 0
    /// Items moved on either side.
    package var moved = 0
    /// Items whose permissions were changed on either side.
    package var permissions = 0
    /// Items that were moved to the local trash.
    package var deletedLocal = 0
    /// Items deleted on the remote.
    package var deletedRemote = 0
    /// Conflicts found.
    package var conflicts = 0
    /// Items that could not be synced, as of the end of the run.
    package var errors = 0
    /// Items that still waited, as of the end of the run.
    package var waiting = 0

    /// A run that did nothing.
    package init() {}

    /// Whether the run changed nothing.
    package var isSilent: Bool {
        var done = self
        done.waiting = 0
        return done == RunSummary()
    }

    /// What this run and the next one did together.
    package func followed(by next: RunSummary) -> RunSummary {
        var sum = next
        sum.uploaded += uploaded
        sum.downloaded += downloaded
        sum.moved += moved
        sum.permissions += permissions
        sum.deletedLocal += deletedLocal
        sum.deletedRemote += deletedRemote
        sum.conflicts += conflicts
        return sum
    }

    /// Counts one more activity of that kind.
    mutating func count(_ kind: Activity.Kind) {
        switch kind {
        case .uploaded: uploaded += 1
        case .downloaded: downloaded += 1
        case .moved: moved += 1
        case .permissions: permissions += 1
        case .deletedLocal: deletedLocal += 1
        case .deletedRemote: deletedRemote += 1
        case .conflict: conflicts += 1
        case .notKept, .copiedOut, .error: break
        }
    }
}
