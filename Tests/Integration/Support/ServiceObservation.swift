import Glibc

/// What the kernel says of a process that does not answer: whether it waits for a disk, computes or is kept from its cores.
struct ServiceObservation {
    private struct Thread {
        let name: String
        /// What `/proc/PID/stat` says: R runs or wants to, S sleeps until something happens, D waits for a disk.
        let state: String
        /// The function of the kernel in which it waits.
        let wait: String
        let stack: String
        /// How long it ran, and how long it waited for a core, in nanoseconds.
        let ran: UInt64
        let starved: UInt64
    }

    private let process: pid_t
    private let threads: [Int32: Thread]
    private let time: ContinuousClock.Instant
    /// The lines of the whole machine, `/proc/pressure`: how much of the time somebody waited for a core, a disk, memory.
    private let pressure: String

    init(of process: pid_t) {
        self.process = process
        time = .now
        let folder = "/proc/\(process)/task"
        let numbers = ((try? Disk.names(folder)) ?? []).compactMap { Int32($0) }
        threads = Dictionary(uniqueKeysWithValues: numbers.map { ($0, Self.thread("\(folder)/\($0)")) })
        pressure = ["cpu", "io", "memory"].compactMap { name in
            guard let text = Disk.textIfThere("/proc/pressure/\(name)") else { return nil }
            return "\(name): " + text.split(separator: "\n").joined(separator: "; ")
        }.joined(separator: "\n")
    }

    private static func thread(_ folder: String) -> Thread {
        func text(_ name: String) -> String { Disk.textIfThere("\(folder)/\(name)") ?? "" }
        // The second field is a name in brackets, which may hold blanks.
        let state = text("stat").split(separator: ")").last.map { $0.prefix(2).trimmingPrefix(" ") } ?? "?"
        let times = text("schedstat").split(separator: " ").compactMap { UInt64($0) }
        return Thread(
            name: String(text("comm").prefix { $0 != "\n" }), state: String(state), wait: text("wchan"),
            stack: text("stack").split(separator: "\n").prefix(8).joined(separator: " < "),
            ran: times.first ?? 0, starved: times.dropFirst().first ?? 0)
    }

    /// Compares with an earlier look: what each thread did in between, and where it is now.
    func report(since earlier: ServiceObservation) -> String {
        let seconds = (time - earlier.time) / .seconds(1)
        var lines = ["In the last \(seconds) s the threads of the service, process \(process):"]
        for (number, thread) in threads.sorted(by: { $0.key < $1.key }) {
            let before = earlier.threads[number]
            let ran = Self.seconds(thread.ran, since: before?.ran)
            let starved = Self.seconds(thread.starved, since: before?.starved)
            lines.append(
                "\(number) \(thread.name): ran \(ran) s, waited \(starved) s for a core; now in state \(thread.state), "
                    + "was in \(before?.state ?? "none"); waits in \(thread.wait): \(thread.stack)")
        }
        return (lines + [pressure]).joined(separator: "\n")
    }

    private static func seconds(_ now: UInt64, since before: UInt64?) -> Double {
        Double(now - min(now, before ?? 0)) / 1e9
    }
}
