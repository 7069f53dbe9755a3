import Support
import SystemPackage

/// Collects the changes of one folder into batches. Pure: the caller passes the time.
///
/// If more than 128 items of a directory change, the directory is reported instead; if directories beyond 1,000 have
/// changes, the whole folder is. So the memory use is bounded.
struct ChangeCoalescer {
    /// The maximum number of items of one directory that are reported individually.
    private static let itemLimit = ChangeLimits.items
    /// The maximum number of directories that are reported individually.
    private static let directoryLimit = ChangeLimits.directories

    /// A directory in the current batch; requested once and valid until that batch is released.
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
    /// Whether the batch is already the whole folder, so that no individual changes need to be recorded.
    private(set) var overflow = false

    /// When ``release(folder:)`` is due; nil while there is nothing to hand over.
    var deadline: Instant? { period?.deadline }

    /// The slot for changes in a directory.
    mutating func slot(for directory: FilePath) -> Slot {
        if overflow { return Slot(index: .max) }
        if let known = indexes[directory] { return Slot(index: known) }
        entries.append(Entry(directory: directory))
        indexes[directory] = entries.count - 1
        return Slot(index: entries.count - 1)
    }

    /// Records that an item in the slot's directory appeared, disappeared or changed.
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

    /// Records that a directory has to be listed again.
    mutating func noteDirectory(_ directory: FilePath, at now: Instant) {
        touch(now)
        guard !overflow else { return }
        noteWhole(slot(for: directory))
        collapseIfWide()
    }

    /// Records that everything may have changed.
    mutating func noteOverflow(at now: Instant) {
        touch(now)
        overflow = true
        // Existing slots remain valid; only their contents are released.
        for index in entries.indices { entries[index].names = [] }
    }

    /// Returns the batch and starts a new one; nil if it is empty. Slots become invalid.
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
