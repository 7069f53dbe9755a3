internal import RoundelBus
internal import Support

/// Sends the changes in a provider's folders one call at a time, and merges those that arrive meanwhile.
///
/// Refused changes are not sent again unchanged, because they would probably be refused again: instead, the next change
/// in that folder, or its next flush, reports the whole folder (overflow).
struct ChangeForwarder {
    /// If more items than this change in one directory, the directory is reported instead.
    static let itemLimit = ChangeLimits.items
    /// If more directories than this change, the whole folder is reported instead.
    static let directoryLimit = ChangeLimits.directories

    /// Changes of one folder that wait, without duplicates.
    private struct Gathered {
        var folder: ItemURI
        var directories: Set<ItemURI> = []
        var items: [ItemURI: Set<ItemURI>] = [:]
        var overflow = false

        mutating func add(_ changes: FolderChanges) {
            overflow = overflow || changes.overflow
            guard !overflow else {
                directories = []
                items = [:]
                return
            }
            directories.formUnion(changes.directories)
            for item in changes.items {
                items[item.parent ?? item, default: []].insert(item)
            }
            for (directory, inside) in items where inside.count > itemLimit || directories.contains(directory) {
                items[directory] = nil
                directories.insert(directory)
            }
            if directories.count > directoryLimit || itemCount > Limits.namesPerCall {
                overflow = true
                directories = []
                items = [:]
            }
        }

        private var itemCount: Int { items.values.reduce(0) { $0 + $1.count } }

        var changes: FolderChanges {
            FolderChanges(
                folder: folder, directories: directories.sorted(), items: items.values.flatMap { $0 }.sorted(),
                overflow: overflow)
        }
    }

    /// A flush that waits for changes.
    private struct Flush {
        let call: CallToken
        let folder: ItemURI
        /// How many calls must be answered before it is done.
        let after: UInt64
    }

    /// The outcome of a flush.
    struct FlushOutcome: Equatable {
        let call: CallToken
        /// Whether the provider has accepted every change of the folder.
        let isAccepted: Bool
    }

    private var queue: [Gathered] = []
    private var outstanding: (token: RequestToken, folder: ItemURI)?
    private var sent: UInt64 = 0
    private var answered: UInt64 = 0
    private var flushes: [Flush] = []
    /// Folders whose changes the provider refused.
    private var refused: Set<ItemURI> = []

    mutating func add(_ changes: FolderChanges) {
        let position = queue.firstIndex { $0.folder == changes.folder }
        var gathered = position.map { queue[$0] } ?? Gathered(folder: changes.folder)
        gathered.add(changes)
        if refused.remove(changes.folder) != nil { gathered.add(Self.everything(in: changes.folder)) }
        if let position {
            queue[position] = gathered
        } else {
            queue.append(gathered)
        }
    }

    /// The next call to make, if none is outstanding.
    mutating func next(_ token: RequestToken) -> FolderChanges? {
        guard outstanding == nil, !queue.isEmpty else { return nil }
        let changes = queue.removeFirst().changes
        outstanding = (token, changes.folder)
        sent += 1
        return changes
    }

    /// The open call was answered; returns the flushes that waited for it.
    mutating func answer(_ token: RequestToken, isAccepted: Bool) -> [FlushOutcome] {
        guard let call = outstanding, call.token == token else { return [] }
        outstanding = nil
        answered += 1
        if !isAccepted { refuse(call.folder) }
        let done = flushes.filter { $0.after <= answered }
        flushes.removeAll { $0.after <= answered }
        return done.map { flush in
            let isRefusedNow = !isAccepted && flush.folder == call.folder
            return FlushOutcome(call: flush.call, isAccepted: !isRefusedNow && !refused.contains(flush.folder))
        }
    }

    private mutating func refuse(_ folder: ItemURI) {
        guard let position = queue.firstIndex(where: { $0.folder == folder }) else {
            refused.insert(folder)
            return
        }
        queue[position].add(Self.everything(in: folder))
    }

    /// Whether all changes so far in a folder have been accepted; if not, ``answer(_:isAccepted:)`` returns `call` once
    /// the outcome is known, and there may be something to send.
    mutating func flush(_ call: CallToken, _ folder: ItemURI) -> Bool {
        if refused.contains(folder) { add(FolderChanges(folder: folder)) }
        let target = sent + UInt64(queue.count)
        guard target > answered else { return true }
        flushes.append(Flush(call: call, folder: folder, after: target))
        return false
    }

    private static func everything(in folder: ItemURI) -> FolderChanges {
        FolderChanges(folder: folder, overflow: true)
    }

    /// The provider is gone; returns the flushes that can no longer be answered.
    mutating func reset() -> [CallToken] {
        let open = flushes.map(\.call)
        self = ChangeForwarder()
        return open
    }
}
