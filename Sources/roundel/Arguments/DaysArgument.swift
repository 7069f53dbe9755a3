import RoundelBus

/// Days of the week in the user's notation: `mon-fri`, `sat,sun`, `fri-mon`.
struct DaysArgument: Equatable, Sendable {
    /// In the order of the week, each once.
    let days: [SyncNetworkUse.Day]

    /// Nil if the text is not such a list.
    init?(_ text: String) {
        let week = SyncNetworkUse.Day.allCases
        var found: Set<Int> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { word in
                week.firstIndex { $0.rawValue == word }
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            for number in first...(last < first ? last + week.count : last) { found.insert(number % week.count) }
        }
        days = found.sorted().map { week[$0] }
    }

    /// The days in the notation of this argument; consecutive days become a range.
    static func text(_ words: [String]) -> String {
        let week = SyncNetworkUse.Day.allCases.map(\.rawValue)
        let numbers = words.compactMap { week.firstIndex(of: $0) }.sorted()
        // Days that only a later version knows are shown unchanged.
        guard numbers.count == words.count else { return words.joined(separator: ",") }
        var spans: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = spans.last, last.upperBound + 1 == number {
                spans[spans.count - 1] = last.lowerBound...number
            } else {
                spans.append(number...number)
            }
        }
        return spans.map { span in
            span.count > 2
                ? "\(week[span.lowerBound])-\(week[span.upperBound])"
                : span.map { week[$0] }.joined(separator: ",")
        }.joined(separator: ",")
    }
}
