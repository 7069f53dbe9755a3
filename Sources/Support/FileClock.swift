internal import Glibc

/// The clock from which the kernel takes the times of files. It moves in ticks, of ten milliseconds at most.
package enum FileClock {
    /// Microseconds since 1970.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Waits for the next tick and gives its time: what changed before the call has an earlier time, what changes after
    /// it the same or a later one.
    package static func nextTick() -> Int64 {
        let before = now
        while now == before { usleep(500) }
        return now
    }
}
