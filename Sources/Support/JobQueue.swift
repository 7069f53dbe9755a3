/// Which questions are to be put to disks, or to a program, when: each one once at a time, a few at a time in all and of
/// one folder, so that a disk that does not answer holds up one folder alone, and after a pause that grows with what the
/// question cost.
package struct JobQueue<Job: Hashable, Lane: Hashable> {
    private struct State {
        let lane: Lane
        var isRunning = false
        var isWanted = true
        var notBefore: Instant
    }

    private var states: [Job: State] = [:]
    /// The wanted jobs, the longest wanted first.
    private var order: [Job] = []
    private var running: [Lane: Int] = [:]

    /// The most jobs at a time.
    package static var most: Int { 4 }
    /// The most jobs at a time of one lane.
    package static var mostOfLane: Int { 2 }
    /// What a job took, times this, is the least pause after it: so they take at most a quarter of a processor.
    private static var pauseFactor: Int { 3 }

    package init() {}

    /// Whether the job waits or runs.
    package func contains(_ job: Job) -> Bool { states[job].map { $0.isRunning || $0.isWanted } ?? false }

    /// The job is to be done; once more if it runs.
    package mutating func want(_ job: Job, lane: Lane, at now: Instant) {
        if states[job]?.isWanted == true { return }
        states[job, default: State(lane: lane, notBefore: now)].isWanted = true
        order.append(job)
    }

    /// Nobody needs the job any more.
    package mutating func drop(_ job: Job) {
        order.removeAll { $0 == job }
        if states[job]?.isRunning ?? false { states[job]?.isWanted = false } else { states[job] = nil }
    }

    /// A job has ended.
    package mutating func finished(_ job: Job, took duration: Duration, at now: Instant) {
        guard let state = states[job], state.isRunning else { return }
        running[state.lane, default: 1] -= 1
        if running[state.lane] == 0 { running[state.lane] = nil }
        states[job]?.isRunning = false
        states[job]?.notBefore = now + max(Patience.Engines.rest, duration * Self.pauseFactor)
    }

    /// The jobs to begin now, and when to ask again if nothing else happens before.
    package mutating func due(at now: Instant) -> (jobs: [Job], next: Instant?) {
        var jobs: [Job] = []
        var next: Instant?
        var total = running.values.reduce(0, +)
        for job in order {
            guard let state = states[job], !state.isRunning else { continue }
            guard state.notBefore <= now else {
                next = min(next ?? .max, state.notBefore)
                continue
            }
            guard total < Self.most, running[state.lane, default: 0] < Self.mostOfLane else { continue }
            total += 1
            running[state.lane, default: 0] += 1
            states[job]?.isRunning = true
            states[job]?.isWanted = false
            jobs.append(job)
        }
        order.removeAll { !(states[$0]?.isWanted ?? false) }
        return (jobs, next)
    }
}
