import CLinux
import Glibc
import SystemPackage

extension Watcher {
    /// Hands over what is due.
    func deliver() {
        for (token, fallback) in helpers.expire(at: now) { output.append(.resolved(token: token, fallback)) }
        let isQuiet = scanQueue.isEmpty && toLocate.isEmpty
        let flushed = isQuiet ? Set(flushes.map(\.folder)) : []
        for (id, anchor) in folders {
            let isDue = anchor.changes.deadline.map { $0 <= now } ?? false
            if isDue || flushed.contains(id) { releaseChanges(anchor, id) }
        }
        for anchor in observed.values {
            let isDue = anchor.vanishPeriod.map { $0.deadline <= now || !flushed.isEmpty } ?? false
            if isDue { releaseVanished(anchor) }
        }
        reportStatus(mayWait: !isQuiet)
        if isQuiet {
            for flush in flushes { output.append(.flushed(token: flush.token)) }
            flushes = []
        }
        outbox.put(output)
        output = []
    }

    private func releaseChanges(_ anchor: Anchor, _ id: FolderID) {
        guard let batch = anchor.changes.release(folder: id) else { return }
        sinks.removeAll(keepingCapacity: true)
        output.append(.changed(batch))
    }

    private func releaseVanished(_ anchor: Anchor) {
        let names = missing(anchor.vanished, from: anchor).compactMap { FilePath.Component(bytes: $0) }
        anchor.vanished = []
        anchor.vanishPeriod = nil
        if !names.isEmpty { output.append(.itemsVanished(directory: anchor.path, names: names)) }
    }

    /// Which of these names are not in the directory. An exchange of two files (RENAME_EXCHANGE) reports a departure last
    /// for a name that is still taken, so the events alone do not say.
    private func missing(_ names: Set<[UInt8]>, from anchor: Anchor) -> [[UInt8]] {
        guard !names.isEmpty, let node = anchor.node, let directory = try? opener.open(node, in: tree) else {
            return Array(names)
        }
        defer { close(directory) }
        return names.filter { lookup($0, in: directory) != nil }
    }

    /// Notes which of these names are not in the directory, as if they had just gone.
    func verify(_ names: [FilePath.Component], in anchor: Anchor) {
        guard let node = anchor.node, let directory = try? opener.open(node, in: tree) else { return }
        defer { close(directory) }
        for name in names.map({ $0.withBytes { Array($0) } })
        where lookup(name, in: directory) == .noSuchFileOrDirectory {
            noteVanished(name, from: anchor)
        }
    }

    private func lookup(_ name: [UInt8], in directory: Int32) -> Errno? {
        (name + [0]).withUnsafeBytes { bytes in
            guard let name = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return .invalidArgument }
            return gate.lookup(name, in: directory)
        }
    }

    /// Reports unreliable folders at once, a new count alone together with the next event.
    private func reportStatus(mayWait: Bool) {
        let unreliable = folders.filter(\.value.isUnreliable).keys.sorted { $0.rawValue < $1.rawValue }
        let status = WatchStatus(used: tree.watchCount, limit: budget.limit, unreliable: unreliable)
        guard status != reported else { return }
        if status.unreliable == reported.unreliable,
            mayWait || (output.isEmpty && flushes.isEmpty && reported.limit != 0)
        {
            return
        }
        reported = status
        output.append(.status(status))
    }
}
