internal import CLinux
internal import Glibc
package import Support

/// A timer of an event loop. It fires once for each time it is set.
public final class LoopTimer {
    private weak var loop: EventLoop?
    fileprivate let handler: () -> Void

    /// The position in the loop's queue, or -1.
    fileprivate var position = -1

    /// When it fires; nil if it is not set.
    package fileprivate(set) var deadline: Instant?

    /// Whether the timer is set.
    public var isSet: Bool { deadline != nil }

    init(_ loop: EventLoop, _ handler: @escaping () -> Void) {
        self.loop = loop
        self.handler = handler
    }

    /// Sets the timer to fire after this time; replaces an earlier setting.
    ///
    /// - Parameter delay: If it is not positive, the timer fires in the next turn of the loop; beyond five centuries,
    ///   never.
    public func set(after delay: Duration) { set(at: .now + max(delay, .zero)) }

    /// Sets the timer to fire at this time; replaces an earlier setting.
    package func set(at deadline: Instant) {
        cancel()
        self.deadline = deadline
        loop?.schedule(self)
    }

    /// Cancels the timer.
    public func cancel() {
        guard deadline != nil else { return }
        loop?.unschedule(self)
        deadline = nil
    }
}

/// The set timers, as a binary heap by deadline, and the timerfd(2), which is armed for the first one.
struct TimerQueue {
    fileprivate var heap: [LoopTimer] = []
    private var armedDeadline: Instant?

    mutating func insert(_ timer: LoopTimer) {
        timer.position = heap.count
        heap.append(timer)
        siftUp(timer.position)
    }

    mutating func remove(_ timer: LoopTimer) {
        let position = timer.position
        guard position >= 0 else { return }
        timer.position = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        last.position = position
        siftDown(position)
        siftUp(position)
    }

    /// Called when the descriptor became readable, so it is no longer armed.
    mutating func hasExpired() { armedDeadline = nil }

    /// Arms the descriptor for the first deadline, or disarms it; only if that has changed.
    mutating func arm(_ descriptor: Int32) {
        let first = heap.first?.deadline
        guard first != armedDeadline else { return }
        armedDeadline = first
        var setting = itimerspec()
        if let first {
            // Zero would disarm it.
            let (seconds, nanoseconds) = max(first.nanoseconds, 1).quotientAndRemainder(dividingBy: 1_000_000_000)
            setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
        }
        timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    var isEmpty: Bool { heap.isEmpty }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].deadline ?? .max) < (heap[right].deadline ?? .max)
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        heap[left].position = left
        heap[right].position = right
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, isBefore(child, (child - 1) / 2) {
            exchange(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while 2 * parent + 1 < heap.count {
            var child = 2 * parent + 1
            if child + 1 < heap.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, parent) else { return }
            exchange(child, parent)
            parent = child
        }
    }
}

extension TimerQueue {
    /// Removes the first timer if it is due, and returns its handler.
    mutating func removeDue(at now: Instant) -> (() -> Void)? {
        guard let timer = heap.first, let deadline = timer.deadline, deadline <= now else { return nil }
        remove(timer)
        timer.deadline = nil
        return timer.handler
    }
}
