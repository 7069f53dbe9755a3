/// What waits until the manifests are read, and what the same callers sent after that: the calls of one caller take
/// effect in order. Those of others do not wait, so that nobody can delay them by asking for one reading after the
/// other.
struct ManifestWaits {
    private struct Entry {
        let caller: String
        /// The number of the reading that it needs; nil if it waits only because of its order.
        let reading: Int?
        let body: () -> Void
    }

    /// In order of arrival.
    private var entries: [Entry] = []
    /// How many entries each caller has.
    private var counts: [String: Int] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Whether something of a caller waits, so that all that it sends must wait, too.
    func isWaiting(_ caller: String) -> Bool { counts[caller] != nil }

    /// Adds what a caller sent.
    /// - Parameter reading: The number of the reading that it needs; nil if it needs none.
    mutating func add(_ body: @escaping () -> Void, of caller: String, needing reading: Int?) {
        entries.append(Entry(caller: caller, reading: reading, body: body))
        counts[caller, default: 0] += 1
    }

    /// Removes what need not wait any longer, in order of arrival.
    /// - Parameter reading: The number of the latest reading that has ended.
    mutating func release(upTo reading: Int) -> [() -> Void] {
        var kept: [Entry] = []
        var held: Set<String> = []
        var released: [() -> Void] = []
        for entry in entries {
            if held.contains(entry.caller) || entry.reading.map({ $0 > reading }) ?? false {
                held.insert(entry.caller)
                kept.append(entry)
            } else {
                let count = counts[entry.caller] ?? 0
                counts[entry.caller] = count > 1 ? count - 1 : nil
                released.append(entry.body)
            }
        }
        entries = kept
        return released
    }
}
