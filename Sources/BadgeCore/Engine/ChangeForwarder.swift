/// Hands the changes in a provider's folders over one call at a time and merges what comes meanwhile.
struct ChangeForwarder {
    /// More items than this in one directory become that directory.
    static let itemLimit = 128
    /// More directories than this become the whole folder.
    static let directoryLimit = 1000

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
            if directories.count > directoryLimit {
                overflow = true
                directories = []
                items = [:]
            }
        }

        var changes: FolderChanges {
            FolderChanges(
                folder: folder, directories: directories.sorted(), items: items.values.flatMap { $0 }.sorted(),
                overflow: overflow)
        }
    }

    private var queue: [Gathered] = []
    private var outstanding: RequestToken?
    private var sent: UInt64 = 0
    private var accepted: UInt64 = 0
    private var flushes: [(call: CallToken, after: UInt64)] = []

    mutating func add(_ changes: FolderChanges) {
        let position = queue.firstIndex { $0.folder == changes.folder }
        var gathered = position.map { queue[$0] } ?? Gathered(folder: changes.folder)
        gathered.add(changes)
        if let position {
            queue[position] = gathered
        } else {
            queue.append(gathered)
        }
    }

    /// The next call to make, if none is outstanding.
    mutating func next(_ token: RequestToken) -> FolderChanges? {
        guard outstanding == nil, !queue.isEmpty else { return nil }
        outstanding = token
        sent += 1
        return queue.removeFirst().changes
    }

    /// The outstanding call was answered; gives the flushes that waited for it.
    mutating func accept(_ token: RequestToken) -> [CallToken] {
        guard outstanding == token else { return [] }
        outstanding = nil
        accepted += 1
        let done = flushes.filter { $0.after <= accepted }
        flushes.removeAll { $0.after <= accepted }
        return done.map(\.call)
    }

    /// Whether everything so far has been accepted; if not, `call` comes back from ``accept(_:)`` once it has.
    mutating func flush(_ call: CallToken) -> Bool {
        let target = sent + UInt64(queue.count)
        guard target > accepted else { return true }
        flushes.append((call, target))
        return false
    }

    /// The provider is gone; gives the flushes that cannot be answered any more.
    mutating func reset() -> [CallToken] {
        let open = flushes.map(\.call)
        self = ChangeForwarder()
        return open
    }
}
