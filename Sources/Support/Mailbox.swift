internal import Synchronization

/// Passes items from any thread to one receiver. Only the first item put into an empty mailbox has to wake the
/// receiver, which takes later ones in the same turn.
package final class Mailbox<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])

    package init() {}

    /// Adds an item; returns whether the mailbox was empty, so that the receiver has to be woken.
    package func put(_ item: Item) -> Bool {
        items.withLock { items in
            items.append(item)
            return items.count == 1
        }
    }

    /// Adds several items; returns whether the receiver has to be woken, which is never the case for no items.
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

    /// Removes and returns the oldest items, at most `limit`, and whether more wait. The receiver is not woken for
    /// those.
    package func take(limit: Int) -> (items: [Item], hasMore: Bool) {
        items.withLock { items in
            let taken = Array(items.prefix(limit))
            items.removeFirst(taken.count)
            return (taken, !items.isEmpty)
        }
    }
}
