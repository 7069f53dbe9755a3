internal import RoundelBus
internal import Support

/// The deadlines, in a binary heap. A stale one stays until it reaches the top.
struct DeadlineQueue {
    enum Purpose: Equatable {
        /// Held calls of a directory must be answered.
        case heldCalls(DirectoryID)
        /// Collected changes of a directory must be sent.
        case signals(DirectoryID)
        /// A menu that is being built must be returned.
        case menu(MenuBuildID)
        /// A request for attributes has timed out.
        case attributes(RequestToken)
        /// A menu that was returned expires.
        case menuExpiry(UInt64)
        /// A search for the places of directories has timed out.
        case places(RequestToken)
    }

    struct Deadline {
        let time: Instant
        let purpose: Purpose
    }

    private var heap: [Deadline] = []
    private var crowd = 1024

    var first: Deadline? { heap.first }
    var all: [Deadline] { heap }
    /// Whether stale deadlines should be purged.
    var isCrowded: Bool { heap.count > crowd }

    mutating func replaceAll(_ deadlines: [Deadline]) {
        // A sorted array is a heap.
        heap = deadlines.sorted { $0.time < $1.time }
        crowd = max(1024, heap.count * 2)
    }

    mutating func add(_ time: Instant, _ purpose: Purpose) {
        heap.append(Deadline(time: time, purpose: purpose))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].time < heap[parent].time else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].time < heap[left].time ? right : left
            guard heap[child].time < heap[parent].time else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
