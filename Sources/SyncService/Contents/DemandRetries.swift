internal import SyncCore

/// Which demands are made again that failed because a folder was not mounted, whose program is usually there again in a
/// moment. Pure.
///
/// A folder that does not come back is given up, until something of it succeeds: what waits behind would otherwise wait
/// as long again, and whoever asked for it with it.
struct DemandRetries<Folder: Hashable> {
    /// How often a demand is made again.
    static var attemptsAtMost: Int { 20 }

    private var attempts: [Int: Int] = [:]
    private var givenUp: Set<Folder> = []
    private var due: [Int] = []

    /// A demand failed.
    ///
    /// - Parameter isMountWanted: Whether the folder is to be mounted.
    /// - Returns: Whether the folder is to be waited for, after which ``mounted(_:in:isThere:)`` follows; otherwise that is
    ///   the end.
    mutating func failed(
        _ number: Int, in folder: Folder, as failure: DemandFailure, isMountWanted: Bool
    ) -> Bool {
        guard failure.mayBeOfTheMount, isMountWanted, !givenUp.contains(folder) else { return false }
        let made = attempts[number, default: 0]
        guard made < Self.attemptsAtMost else {
            givenUp.insert(folder)
            return false
        }
        attempts[number] = made + 1
        return true
    }

    /// The folder was waited for.
    ///
    /// - Returns: Whether the demand is made again, after a pause, by ``takeDue()``; otherwise that is the end.
    mutating func mounted(_ number: Int, in folder: Folder, isThere: Bool) -> Bool {
        guard isThere else {
            givenUp.insert(folder)
            return false
        }
        due.append(number)
        return true
    }

    /// The demands that are made again now, in the order in which their folders came.
    mutating func takeDue() -> [Int] {
        defer { due = [] }
        return due
    }

    /// An item is done with.
    mutating func ended(_ number: Int, in folder: Folder, isDone: Bool) {
        attempts[number] = nil
        if isDone { givenUp.remove(folder) }
    }
}

extension DemandFailure {
    /// Whether the folder on this computer does not answer, which is mounted again when its program ends, or the session
    /// ended, maybe for that reason.
    fileprivate var mayBeOfTheMount: Bool {
        switch reason {
        case .interrupted: true
        case .offline: message.isOfMount
        case .denied, .noSpace, .gone, .unsteady, .failed, .inUse, .pinned, .onlyHere, .held, .unsupported: false
        }
    }
}

extension Explanation {
    /// Whether it says that a folder on this computer does not answer, which is mounted again when its program ends.
    var isOfMount: Bool { side == .local && [.unreachable, .notMountedYet].contains(code) }
}
