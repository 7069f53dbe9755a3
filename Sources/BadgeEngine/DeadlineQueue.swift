internal import RoundelBus
internal import Support

/// What is due when; a binary heap. A stale deadline stays until it reaches the top.
struct DeadlineQueue {
    enum Purpose: Equatable {
        /// Held calls of a directory that must not wait any longer.
        case heldCalls(DirectoryID)
        /// Changes of a directory that were gathered.
        case signals(DirectoryID)
        /// A menu that is being put together.
        case menu(MenuBuildID)
        /// A question for attributes.
        case attributes(RequestToken)
        /// A menu that has been given.
        case menuExpiry(UInt64)
        /// A question where directories are.
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
        // An array in order of time is a heap.
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
