internal import Synchronization

/// Items on their way to one receiver, from any thread. Only the first item put into an empty box has to wake the
/// receiver: it takes what came later in the same turn.
package final class Mailbox<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])

    package init() {}

    /// Adds an item; returns whether the box was empty, so that the receiver has to be woken.
    package func put(_ item: Item) -> Bool {
        items.withLock { items in
            items.append(item)
            return items.count == 1
        }
    }

    /// Adds several items; returns whether the receiver has to be woken. No items need no waking.
    package func put(contentsOf batch: [Item]) -> Bool {
        guard !batch.isEmpty else { return false }
        return items.withLock { items in
            defer { items += batch }
            return items.isEmpty
        }
    }

    /// Empties the box; the oldest item comes first.
    package func takeAll() -> [Item] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }

    /// Takes the oldest items, at most `limit`, and says whether more wait. Nobody wakes the receiver for those.
    package func take(limit: Int) -> (items: [Item], hasMore: Bool) {
        items.withLock { items in
            let taken = Array(items.prefix(limit))
            items.removeFirst(taken.count)
            return (taken, !items.isEmpty)
        }
    }
}
