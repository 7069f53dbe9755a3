/// What waits for its turn, in a line for each sender: whoever sends much waits behind itself alone.
struct FairQueue<Element> {
    private struct Line {
        /// The first is last.
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
    }

    private var lines: [String: Line] = [:]
    /// The senders of the lines, in the order in which they have their turns.
    private var senders: [String] = []
    private var turn = 0
    /// How much waits in all lines.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Puts something at the end of its sender's line.
    mutating func append(_ element: Element, from sender: String) {
        count += 1
        if lines[sender] == nil {
            lines[sender] = Line(back: [element])
            senders.append(sender)
        } else {
            lines[sender]?.back.append(element)
        }
    }

    /// What is first in the line of the sender whose turn it is.
    mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        if turn >= senders.count { turn = 0 }
        let sender = senders[turn]
        guard let element = lines[sender]?.removeFirst() else { return nil }
        count -= 1
        if lines[sender]?.isEmpty ?? true {
            lines[sender] = nil
            senders.remove(at: turn)
        } else {
            turn += 1
        }
        return element
    }
}
