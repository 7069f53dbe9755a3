import SyncCore

/// Confirms that a server that says so is mod_dav_fs of Apache, on files whose times are fine, behind nothing that spoils what
/// Roundel asks it.
///
/// Of what ``KnownServer/traits`` says, these are confirmed: writes with a condition, moves that replace nothing, names in
/// moves, locks, tags in listings, and how fine they are. Conditions of moves and for absence are not used on a server with
/// weak tags and locks. A part of a file that is not one, and a tag that a move changes, are noticed where they are used. That
/// mod_dav_fs writes a file beside its place, makes collections only where nothing is, and makes its tags of sizes and times,
/// is so in all of 2.4; it is recognised by a property that it alone has.
struct ApacheConfirmation {
    private let scratch: ScratchCollection
    /// A name that a server that decodes destinations twice, or too early, takes for another one.
    private static let name = "p%41;q?r#s"
    /// The time between two writes that have different tags: a kernel's clock for files goes on every 10 ms at the latest.
    private static let pause = Duration.milliseconds(11)

    init(_ scratch: ScratchCollection) { self.scratch = scratch }

    /// Whether the server behaves so.
    func run() async throws(DAVFailure) -> Bool {
        guard let foreign = ScratchCollection.foreignTag else { return false }
        let (first, second) = (scratch.file("known"), scratch.file(Self.name))
        let firstWrite = try await write(first, "first")
        let isMatchKept = try await scratch.isRefused(for: .conditionFailed) { () throws(DAVFailure) in
            try await scratch.put(first, "changed", if: .version(foreign))
        }
        guard isMatchKept else { return false }
        do { try await Task.sleep(for: Self.pause) } catch { throw DAVFailure(error) }
        let secondWrite = try await write(second, "the second")
        // One that took another name for the target would find nothing there.
        let isTargetKept = try await scratch.isRefused(for: .conditionFailed) { () throws(DAVFailure) in
            try await scratch.client.move(first, to: second, isDirectory: false, if: .none, overwrites: false)
        }
        guard isTargetKept, try await scratch.lock(first) else { return false }
        let isLockKept = try await scratch.isRefused(for: .locked) { () throws(DAVFailure) in
            try await scratch.put(first, "changed")
        }
        guard isLockKept else { return false }
        let items = try await scratch.items(depth: .entries, [.executable])
        guard items.count == 3, let one = items[first], let other = items[second] else { return false }
        guard [one, other].allSatisfy({ $0.properties[.executable] != nil }) else { return false }
        guard let time = FileTimeTag(one, length: 5)?.time, let later = FileTimeTag(other, length: 10)?.time else {
            return false
        }
        guard let now = scratch.client.serverTime else { return false }
        return WriteTimes(first: firstWrite, second: secondWrite).fit(time, later, at: now)
    }

    /// Writes a file; from when to when.
    private func write(
        _ path: RelativePath, _ text: String
    ) async throws(DAVFailure) -> ClosedRange<ContinuousClock.Instant> {
        let begun = ContinuousClock.now
        _ = try await scratch.put(path, text)
        return begun...ContinuousClock.now
    }
}

extension PropertyName {
    /// Whether a file is a program: mod_dav_fs of Apache alone tells it.
    static let executable = PropertyName(namespace: "http://apache.org/dav/props/", name: "executable")
}
