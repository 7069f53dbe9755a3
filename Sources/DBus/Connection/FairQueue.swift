/// A queue with a line for each sender, which take turns: a sender with many elements delays only its own.
package struct FairQueue<Element> {
    private struct Line {
        /// In reverse order.
        var front: [Element] = []
        var back: [Element]
        /// The number of elements that the present sweep has examined.
        private var swept = 0

        init(back: [Element]) { self.back = back }

        mutating func removeFirst() -> Element? {
            if front.isEmpty {
                front = back.reversed()
                back = []
            }
            swept = max(0, swept - 1)
            return front.popLast()
        }

        /// Examines the elements after those that were examined last, at most `limit`, and removes unwanted ones.
        /// - Returns: How many were examined and removed, and whether the end of the line was reached.
        mutating func sweep(
            _ limit: Int, _ isUnwanted: (Element) -> Bool
        ) -> (examined: Int, removed: Int, isEnd: Bool) {
            let all = count
            let range = min(swept, all)..<min(swept + limit, all)
            let unwanted = Set(range.filter { isUnwanted(self[$0]) })
            if !unwanted.isEmpty {
                let kept = (0..<all).filter { !unwanted.contains($0) }.map { self[$0] }
                (front, back) = ([], kept)
            }
            let isEnd = range.upperBound == all
            swept = isEnd ? 0 : range.upperBound - unwanted.count
            return (range.count, unwanted.count, isEnd)
        }

        private subscript(_ position: Int) -> Element {
            position < front.count ? front[front.count - 1 - position] : back[position - front.count]
        }

        var isEmpty: Bool { front.isEmpty && back.isEmpty }

        var count: Int { front.count + back.count }
    }

    private var lines: [String: Line] = [:]
    /// The senders of the lines, in the order of their turns.
    private var senders: [String] = []
    private var turn = 0
    /// The position of the sender whose line ``sweep(_:where:)`` examines next.
    private var sweeping = 0
    /// The number of elements in all lines.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Appends an element to its sender's line.
    package mutating func append(_ element: Element, from sender: String) {
        count += 1
        if lines[sender] == nil {
            lines[sender] = Line(back: [element])
            senders.append(sender)
        } else {
            lines[sender]?.back.append(element)
        }
    }

    /// The number of elements in the line of a sender.
    package func count(of sender: String) -> Int { lines[sender]?.count ?? 0 }

    /// Removes and returns the first element in the line of the sender whose turn it is.
    package mutating func next() -> Element? { next { _ in true } }

    /// The same, restricted to some senders.
    package mutating func next(where mayGo: (String) -> Bool) -> Element? {
        guard !isEmpty else { return nil }
        if turn >= senders.count { turn = 0 }
        var position = turn
        while !mayGo(senders[position]) {
            position = position + 1 < senders.count ? position + 1 : 0
            if position == turn { return nil }
        }
        let sender = senders[position]
        guard let element = lines[sender]?.removeFirst() else { return nil }
        count -= 1
        turn = position
        if lines[sender]?.isEmpty ?? true {
            lines[sender] = nil
            senders.remove(at: turn)
        } else {
            turn += 1
        }
        return element
    }

    /// Examines some elements and removes those that fulfil the condition. Each call goes on where the last one ended, so
    /// that its cost does not depend on the length of the queue.
    ///
    /// - Parameters:
    ///   - sender: Whose line to examine first.
    ///   - limit: The maximum number of elements to examine in that line, and in all lines.
    package mutating func sweep(_ sender: String, _ limit: Int, where isUnwanted: (Element) -> Bool) {
        if let position = senders.firstIndex(of: sender) { _ = sweep(at: position, limit, isUnwanted) }
        var left = limit
        var linesLeft = senders.count
        while left > 0 && linesLeft > 0 {
            if sweeping >= senders.count { sweeping = 0 }
            let (examined, isEnd, isGone) = sweep(at: sweeping, left, isUnwanted)
            left -= examined
            guard isEnd else { continue }
            linesLeft -= 1
            if !isGone { sweeping += 1 }
        }
    }

    private mutating func sweep(
        at position: Int, _ limit: Int, _ isUnwanted: (Element) -> Bool
    ) -> (examined: Int, isEnd: Bool, isGone: Bool) {
        let sender = senders[position]
        guard let (examined, removed, isEnd) = lines[sender]?.sweep(limit, isUnwanted) else { return (0, true, false) }
        count -= removed
        guard lines[sender]?.isEmpty ?? true else { return (examined, isEnd, false) }
        lines[sender] = nil
        senders.remove(at: position)
        if position < turn { turn -= 1 }
        if position < sweeping { sweeping -= 1 }
        return (examined, true, true)
    }
}
