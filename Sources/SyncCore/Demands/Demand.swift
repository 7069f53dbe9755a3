/// The number of a demand, given by who makes it. No number is used twice in a session.
package struct DemandID: Hashable, Sendable, Comparable {
    /// The number.
    package let rawValue: UInt64
    /// Wraps a number.
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// Orders by number.
    package static func < (left: DemandID, right: DemandID) -> Bool { left.rawValue < right.rawValue }
}

/// What somebody wants done once, now, with the contents of a file, or of every file in a directory. A ``Wish`` lasts;
/// a demand ends when it is done, when it failed, when it is withdrawn, or when the item is gone.
///
/// Demands are kept in memory only: after a crash, whoever still wants something asks again.
package struct Demand: Hashable, Sendable {
    /// Where the contents are to be.
    package enum Aim: Hashable, Sendable, CaseIterable {
        /// On this computer.
        case here
        /// At the remote alone. What is pinned, open, or not at the remote is not freed.
        case away
    }

    /// The item.
    package var item: NodeID
    /// Where its contents are to be.
    package var aim: Aim
    /// Whether a program waits for it in open(2): it then goes before every other demand.
    package var isOpening: Bool
    /// The bytes for which there is room on this computer: a demand that needs more ends before anything is begun. Nil
    /// if that is not known.
    package var room: Int64?

    /// A demand.
    package init(_ aim: Aim, _ item: NodeID, isOpening: Bool = false, room: Int64? = nil) {
        self.item = item
        self.aim = aim
        self.isOpening = isOpening
        self.room = room
    }
}

/// How far a demand is. Only files count whose contents were not where they are to be.
package struct DemandProgress: Hashable, Sendable {
    /// Files that are done.
    package var filesDone = 0
    /// Files that failed.
    package var filesFailed = 0
    /// All files, as far as they are known.
    package var files = 0
    /// Bytes that arrived, or whose room was freed.
    package var bytesDone: Int64 = 0
    /// Bytes of all files, as far as they are known.
    package var bytes: Int64 = 0

    /// No progress yet.
    package init() {}
}

/// Why a demand failed.
package struct DemandFailure: Error, Hashable, Sendable {
    /// What kind of failure it is, for example to choose an error number for a program that waits.
    package enum Reason: Hashable, Sendable, CaseIterable {
        /// The remote cannot be reached, or a file system is not mounted.
        case offline
        /// It is not permitted.
        case denied
        /// There is no room.
        case noSpace
        /// The item no longer exists.
        case gone
        /// The item changed again and again.
        case unsteady
        /// Reading or writing failed.
        case failed
        /// A program has the file open, or waits for its contents.
        case inUse
        /// It is always kept on this computer.
        case pinned
        /// The remote does not have it, because it is not synced.
        case onlyHere
        /// A safeguard stopped the folder.
        case held
        /// Files of this folder are always here.
        case unsupported
        /// The session ended. It is worth asking the next one.
        case interrupted
    }

    /// What kind of failure it is.
    package var reason: Reason
    /// The message for the user; empty if the reason says everything.
    package var message: Explanation

    /// A failure.
    package init(_ reason: Reason, _ message: Explanation = .nothing) {
        self.reason = reason
        self.message = message
    }

    /// The failure of a demand that an effect failed for.
    init(_ failure: EffectFailure) {
        switch failure.reason {
        case .changed, .notFound, .exists, .notEmpty: self.init(.unsteady, failure.message)
        case .busy: self.init(.inUse, failure.message)
        case .nameClash, .io, .putOff: self.init(.failed, failure.message)
        case .denied: self.init(failure.message.code == .notOnDemand ? .unsupported : .denied, failure.message)
        case .noSpace: self.init(.noSpace, failure.message)
        case .unreachable, .notMounted: self.init(.offline, failure.message)
        }
    }
}

/// How a demand ended.
package enum DemandEnd: Hashable, Sendable {
    /// All contents are where they are to be.
    case done
    /// Of a directory: that of the first file that failed. The others were still done if they could be.
    case failed(DemandFailure)
    /// Whoever made it does not want it any more. What was done stays done.
    case withdrawn
}

/// What a session reports about a demand. After ``ended(_:_:)``, which comes exactly once for each, nothing follows.
package enum DemandReport: Hashable, Sendable {
    /// It must wait for something else, for this reason: what is to be freed was not synced yet.
    case waits(Explanation)
    /// It is this far.
    case progress(DemandProgress)
    /// It is over.
    case ended(DemandEnd, DemandProgress)
}
