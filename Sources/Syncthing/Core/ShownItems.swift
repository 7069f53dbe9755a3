internal import RoundelBus

/// What hosts show of a folder, with what was found out about each item and what the hosts were told of it.
struct ShownItems {
    private let root: ItemURI
    private var items: [ItemURI: ShownItem] = [:]
    private var directories: Set<ItemURI> = []
    /// Which items Syncthing ignores; nil until that is known, and if it cannot be had.
    private(set) var ignores: IgnorePatterns?
    /// Items whose change on the disk is not in the index yet.
    private var unscanned: ItemTally
    /// Items whose badge may be another than the one that was told.
    private var dirty: Set<ItemURI> = []

    init(in root: ItemURI) {
        self.root = root
        unscanned = ItemTally(in: root)
    }

    /// The same items, of which nothing is known yet: all may have other badges.
    func restarted(in root: ItemURI) -> ShownItems {
        var fresh = ShownItems(in: root)
        fresh.directories = directories
        fresh.items = items.mapValues { ShownItem(told: $0.told) }
        fresh.dirty = Set(items.keys)
        return fresh
    }

    subscript(item: ItemURI) -> ShownItem? { items[item] }

    var all: [ItemURI] { Array(items.keys) }

    func contains(_ item: ItemURI) -> Bool { items[item] != nil }

    func all(where isMeant: (ItemURI, ShownItem) -> Bool) -> [ItemURI] {
        items.filter { isMeant($0.key, $0.value) }.map(\.key)
    }

    // MARK: Directories

    /// Whether somebody shows something of the folder.
    var isWatched: Bool { !directories.isEmpty }

    /// Returns whether it is the first one.
    mutating func begin(_ directory: ItemURI) -> Bool {
        directories.insert(directory)
        return directories.count == 1
    }

    mutating func end(_ directory: ItemURI) {
        directories.remove(directory)
        for item in items.keys where item.parent == directory {
            items[item] = nil
            unscanned.remove(item)
        }
    }

    /// Adds items of which nothing is known; returns those that are new.
    mutating func add(_ wanted: [ItemURI]) -> [ItemURI] {
        let new = wanted.filter { items[$0] == nil }
        for item in new { items[item] = ShownItem() }
        return new
    }

    // MARK: What is found out

    mutating func set(_ index: ShownItem.Knowledge, of item: ItemURI) {
        items[item]?.index = index
        checkScan(of: item)
    }

    mutating func set(_ disk: DiskFacts, of item: ItemURI) {
        items[item]?.disk = disk
        checkScan(of: item)
    }

    mutating func set(_ patterns: IgnorePatterns) {
        ignores = patterns
        for (item, shown) in items where shown.index == .absent { checkScan(of: item) }
    }

    /// Whether an item that the index does not have stays out of it. Without the patterns this is not known, and it is
    /// not said to be waiting.
    func isLeftOut(_ item: ItemURI) -> Bool {
        guard let ignores, let name = FolderPaths(root: root).name(of: item) else { return true }
        return IgnorePatterns.isInternal(name) || ignores.ignores(name) ?? true
    }

    /// Sees whether a shown item is on the disk as Syncthing has seen it there.
    private mutating func checkScan(of item: ItemURI) {
        guard let shown = items[item], let disk = shown.disk else { return }
        let isSeen =
            switch shown.index {
            case .open, .failed: true
            case .absent: disk == .missing || isLeftOut(item)
            case .known(let record): disk.agrees(with: record.local) || record.local.isIgnored
            }
        if isSeen || disk == .special { unscanned.remove(item) } else { unscanned.insert(item) }
    }

    /// Syncthing has looked at an item: what it saw there is in the index.
    mutating func scanned(_ item: ItemURI) { unscanned.remove(item) }

    /// The items that wait for Syncthing to look at them.
    var unscannedItems: Set<ItemURI> { unscanned.items }

    func hasUnscanned(below directory: ItemURI) -> Bool { unscanned.hasSome(below: directory) }

    // MARK: What the hosts know

    /// Notes that badges may have changed: of these items, and of the directories above them.
    mutating func changed(_ changes: some Sequence<ItemURI>) {
        for item in changes {
            var place: ItemURI? = item
            while let current = place, current.isWithin(root) {
                if items[current] != nil { dirty.insert(current) }
                place = current.parent
            }
        }
    }

    mutating func changedAll() { dirty.formUnion(items.keys) }

    /// The items whose badges may have changed since the last time.
    mutating func takeChanged() -> Set<ItemURI> {
        defer { dirty = [] }
        return dirty
    }

    mutating func tell(_ row: BadgeRow, of item: ItemURI) { items[item]?.told = row }
}
