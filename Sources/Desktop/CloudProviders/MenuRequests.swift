/// Decides when an account requests its menu, and who is answered with which of the answers.
///
/// One request is made at a time. Its answer may be older than what those know who come while it is on its way; they
/// are answered with the next one. So nobody waits for more than two answers, however often others come or the folder
/// changes meanwhile. A caller's share of those who wait is bounded.
struct MenuRequests<Asker> {
    /// What is done with the menu, and the caller who waits for that.
    private typealias Waiting = (caller: String, asker: Asker)

    /// Those for whom the next request is made.
    private var next: [Waiting] = []
    /// Those for whom the present request was made.
    private var present: [Waiting] = []
    /// How many of both each caller has.
    private var counts: [String: Int] = [:]
    private var isAsking = false
    private var isOutdated = false
    private let most: Int

    /// - Parameter most: The most that may wait for one caller.
    init(most: Int) { self.most = most }

    /// Adds one that waits for a menu that is requested from now on; false if the caller has too many. Then call
    /// ``begin()``.
    mutating func add(_ asker: Asker, of caller: String) -> Bool {
        guard counts[caller, default: 0] < most else { return false }
        counts[caller, default: 0] += 1
        next.append((caller, asker))
        return true
    }

    /// Called when someone waits or the menu may have changed. Whether to request it now and call ``end()`` when the
    /// answer is there; otherwise that of the present request is followed by another.
    mutating func begin() -> Bool {
        isOutdated = isAsking
        guard !isAsking else { return false }
        isAsking = true
        swap(&next, &present)
        return true
    }

    /// Called with the answer to the request. Who is to be given the menu, and whether to call ``begin()`` again.
    mutating func end() -> (askers: [Asker], isOutdated: Bool) {
        isAsking = false
        let askers = present.map(\.asker)
        for (caller, _) in present { counts[caller] = counts[caller].flatMap { $0 > 1 ? $0 - 1 : nil } }
        present = []
        return (askers, isOutdated)
    }
}
