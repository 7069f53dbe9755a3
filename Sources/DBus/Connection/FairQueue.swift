/// A queue with a line for each sender, which take turns: a sender with many elements delays only its own.
package struct FairQueue<Element> {
    private struct Line {
        /// In reverse order.
        var front: [Element] = []
        var back: [Element]

        mutating func removeFirst() -> Element? {
            if front.isEmpty {
                front = back.reversed()
                back = []
            }
            return front.popLast()
        }

        var isEmpty: Bool { front.isEmpty && back.isEmpty }

        var count: Int { front.count + back.count }

        /// The elements that fulfil the condition, in order.
        func filter(_ isKept: (Element) -> Bool) -> [Element] { front.reversed().filter(isKept) + back.filter(isKept) }
    }

    private var lines: [String: Line] = [:]
    /// The senders of the lines, in the order of their turns.
    private var senders: [String] = []
    private var turn = 0
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

    /// Removes the elements that fulfil the condition.
    package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        for (sender, line) in lines {
            let kept = line.filter { !isUnwanted($0) }
            count += kept.count - line.count
            lines[sender] = kept.isEmpty ? nil : Line(back: kept)
        }
        let next = turn < senders.count ? senders[turn...] : []
        let order = next + senders[..<min(turn, senders.count)]
        senders = order.filter { lines[$0] != nil }
        turn = 0
    }
}
