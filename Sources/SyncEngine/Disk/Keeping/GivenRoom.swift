internal import Support
internal import Synchronization

/// The room that kept versions gave on one file system.
///
/// Of several threads that find a disk full one removes versions. The others use the room that this made.
final class GivenRoom: Sendable {
    /// What became of a wish for room.
    enum Outcome: Sendable {
        /// There is as much as was wished for, or somebody else made room meanwhile.
        case enough
        /// This call removed versions.
        case removed
        /// Versions were removed, and the file system does not show their room yet.
        case awaited
        /// Nothing may be removed, or not enough.
        case nothing
    }

    /// Bytes that were removed, and did not become free.
    private struct Owed {
        var bytes: Int64
        /// The free bytes before the removal.
        var before: Int64
        /// The file system is given up on then: other programs may have used the room.
        var end: Instant
    }

    private struct State {
        /// The moment of the last removal.
        var last = 0
        var owed: Owed?
    }

    private let clock: RemovalClock
    private let state = Mutex(State())

    /// - Parameter clock: Orders removals and the moments at which disks were found full.
    init(_ clock: RemovalClock) {
        self.clock = clock
    }

    /// Removes versions, unless others were removed here since a moment.
    ///
    /// - Parameter remove: Removes versions, and returns how many bytes they held.
    func make(since moment: Int, removing remove: () -> Int64) -> Outcome {
        state.withLock { state in
            if state.last > moment { return .enough }
            guard remove() > 0 else { return .nothing }
            state.last = clock.advance()
            return .removed
        }
    }

    /// Removes versions until this many bytes are free.
    ///
    /// Some file systems (Btrfs, ZFS) show the room of a removed file only after seconds. Its bytes are not removed once
    /// more from other versions meanwhile.
    ///
    /// - Parameters:
    ///   - available: The free bytes; nil if they are not known.
    ///   - settle: Makes the file system carry out what it puts off; this may take long.
    ///   - remove: Removes versions of as many bytes, and returns how many they held; 0 if there are not enough.
    func make(
        until needed: Int64, at now: Instant = .now, measuring available: () -> Int64?, settling settle: () -> Void,
        removing remove: (Int64) -> Int64
    ) -> Outcome {
        state.withLock { state in
            for _ in 0..<Self.rounds {
                guard let before = available() else { return .nothing }
                let awaited = self.awaited(in: &state, available: before, at: now)
                if before >= needed { return .enough }
                let missing = needed - before - awaited
                guard missing > 0 else {
                    settle()
                    return (available() ?? before) >= needed ? .enough : .awaited
                }
                let removed = remove(missing)
                guard removed > 0 else { return .nothing }
                state.last = clock.advance()
                var after = available() ?? before
                var most = after
                if after < needed {
                    settle()
                    after = available() ?? after
                    most = max(most, after)
                }
                if after >= needed { return .enough }
                guard Self.shows(removed, from: before, to: most) else {
                    let end = now + Patience.Syncing.owedRoom
                    set(Owed(bytes: awaited.addingClamped(removed), before: before, end: end), in: &state)
                    return .awaited
                }
                // Others used it meanwhile.
            }
            return .awaited
        }
    }

    /// The bytes that are still to become free.
    private func awaited(in state: inout State, available: Int64, at now: Instant) -> Int64 {
        if let owed = state.owed, now < owed.end, !Self.shows(owed.bytes, from: owed.before, to: available) {
            return owed.bytes
        }
        set(nil, in: &state)
        return 0
    }

    private func set(_ owed: Owed?, in state: inout State) {
        if (owed == nil) != (state.owed == nil) { clock.countAwaited(owed == nil ? -1 : 1) }
        state.owed = owed
    }

    /// How often one call removes versions of which others use the room.
    private static let rounds = 3

    /// Whether the free bytes moved so far that removed ones became free. Others may have used most of them.
    private static func shows(_ removed: Int64, from before: Int64, to after: Int64) -> Bool {
        after - before >= max(removed / 4, 1)
    }

    /// Whether versions were removed here since a moment.
    func wasMade(since moment: Int) -> Bool { state.withLock { $0.last > moment } }
}

/// Counts the removals of kept versions on the file systems of one side.
final class RemovalClock: Sendable {
    private let count = Atomic(0)
    private let awaited = Atomic(0)

    /// The number of removals that have ended.
    var moment: Int { count.load(ordering: .acquiring) }

    /// Whether any of the file systems is to show room that it does not show yet.
    var isAnyAwaited: Bool { awaited.load(ordering: .acquiring) > 0 }

    /// Another file system is to show room, or one less.
    func countAwaited(_ change: Int) { awaited.add(change, ordering: .acquiringAndReleasing) }

    /// Counts a removal; returns its moment.
    func advance() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// The room given on each file system of one side. It outlasts the open root: what is awaited is awaited in later runs too.
final class GivenRooms: Sendable {
    private let clock = RemovalClock()
    private let rooms = Mutex<[UInt64: GivenRoom]>([:])

    /// A moment, before all removals that end later.
    var moment: Int { clock.moment }

    /// Whether any of the file systems is to show room that it does not show yet.
    var isAnyAwaited: Bool { clock.isAnyAwaited }

    /// The room given on the file system that a workspace is on.
    func room(in workspace: Workspace) -> GivenRoom {
        rooms.withLock { rooms in
            let device = workspace.status.device
            if let known = rooms[device] { return known }
            let new = GivenRoom(clock)
            rooms[device] = new
            return new
        }
    }
}
