import Support
import SystemPackage

/// Gathers the changes of one folder into batches. Pure: the caller gives the time.
///
/// More than 128 changed items of a directory become that directory; changes in more than 1,000 directories become the
/// whole folder. So what it holds is bounded, however much happens.
struct ChangeCoalescer {
    /// The most items of one directory that are named one by one.
    private static let itemLimit = ChangeLimits.items
    /// The most directories that are named one by one.
    private static let directoryLimit = ChangeLimits.directories

    /// A directory in the batch that is being gathered; asked for once and good until that batch is handed over.
    struct Slot: Equatable {
        fileprivate let index: Int
    }

    private struct Entry {
        let directory: FilePath
        var isWhole = false
        var names: Set<[UInt8]> = []
    }

    private var entries: [Entry] = []
    private var indexes: [FilePath: Int] = [:]
    private var period: QuietPeriod?
    /// Whether the batch is the whole folder already, so that nothing more needs to be noted one by one.
    private(set) var overflow = false

    /// When ``release(folder:)`` is due; nil while there is nothing to hand over.
    var deadline: Instant? { period?.deadline }

    /// The place for changes in a directory.
    mutating func slot(for directory: FilePath) -> Slot {
        if overflow { return Slot(index: .max) }
        if let known = indexes[directory] { return Slot(index: known) }
        entries.append(Entry(directory: directory))
        indexes[directory] = entries.count - 1
        return Slot(index: entries.count - 1)
    }

    /// An item in the slot's directory appeared, went or changed.
    mutating func noteItem(_ name: UnsafeBufferPointer<UInt8>, in slot: Slot, at now: Instant) {
        touch(now)
        guard !overflow, slot.index < entries.count, !entries[slot.index].isWhole else { return }
        if name.isEmpty {
            noteWhole(slot)
            return
        }
        entries[slot.index].names.insert(Array(name))
        if entries[slot.index].names.count > Self.itemLimit { noteWhole(slot) }
        collapseIfWide()
    }

    /// A directory has to be listed again.
    mutating func noteDirectory(_ directory: FilePath, at now: Instant) {
        touch(now)
        guard !overflow else { return }
        noteWhole(slot(for: directory))
        collapseIfWide()
    }

    /// Everything may have changed.
    mutating func noteOverflow(at now: Instant) {
        touch(now)
        overflow = true
        // Slots that were handed out stay valid: only what they hold is let go.
        for index in entries.indices { entries[index].names = [] }
    }

    /// Hands over what was gathered; nil if that is nothing. Slots end here.
    mutating func release(folder: FolderID) -> TreeChanges? {
        guard period != nil else { return nil }
        let batch = overflow ? TreeChanges(folder: folder, overflow: true) : gathered(folder)
        self = ChangeCoalescer()
        return batch
    }

    private func gathered(_ folder: FolderID) -> TreeChanges {
        var changes = TreeChanges(folder: folder)
        for entry in entries {
            if entry.isWhole { changes.directories.append(entry.directory) }
            for name in entry.names {
                guard let component = FilePath.Component(bytes: name) else { continue }
                changes.items.append(entry.directory.appending(component))
            }
        }
        changes.directories.sort(by: FilePath.bytesAscend)
        changes.items.sort(by: FilePath.bytesAscend)
        return changes
    }

    private mutating func touch(_ now: Instant) {
        if period == nil {
            period = QuietPeriod(at: now)
        } else {
            period?.extend(to: now)
        }
    }

    private mutating func noteWhole(_ slot: Slot) {
        entries[slot.index].isWhole = true
        entries[slot.index].names = []
    }

    private mutating func collapseIfWide() {
        guard entries.count > Self.directoryLimit else { return }
        overflow = true
        for index in entries.indices { entries[index].names = [] }
    }
}
