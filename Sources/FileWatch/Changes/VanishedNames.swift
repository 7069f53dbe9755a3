import Support

/// Names that disappeared from an observed directory and were not reported yet. Pure: the caller passes the time.
struct VanishedNames {
    private var names: Set<[UInt8]> = []
    private var period: QuietPeriod?

    /// When ``release()`` is due; nil if nothing waits.
    var deadline: Instant? { period?.deadline }

    mutating func insert(_ name: [UInt8], at now: Instant) {
        names.insert(name)
        if period == nil {
            period = QuietPeriod(at: now)
        } else {
            period?.extend(to: now)
        }
    }

    /// Removes a name that exists again.
    mutating func remove(_ name: UnsafeBufferPointer<UInt8>) {
        if !names.isEmpty { names.remove(Array(name)) }
    }

    /// Returns the names and clears them.
    mutating func release() -> Set<[UInt8]> {
        defer { self = VanishedNames() }
        return names
    }
}
