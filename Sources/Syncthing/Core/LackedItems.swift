internal import RoundelBus

/// What this computer and the other devices lack of a folder, as far as Syncthing has told of it.
struct LackedItems {
    private let root: ItemURI
    /// How much each device lacks.
    private(set) var completion: [PeerID: Completion] = [:]
    private var here: List
    private var elsewhere: [PeerID: List] = [:]
    /// Items that this computer has changed since it was known what other devices lack.
    private var uncertain: ItemTally

    private struct List {
        var items: ItemTally
        var isPartial = false
    }

    /// What a new list makes different.
    struct Change {
        /// Items that came into the list, or are not in it any more.
        var items: Set<ItemURI>
        /// Those that are not in it any more.
        var gone: Set<ItemURI> = []
        /// Whether it is now all or not all that is lacking: this may change every item.
        var isOfAll: Bool
    }

    init(in root: ItemURI) {
        self.root = root
        (here, uncertain) = (List(items: ItemTally(in: root)), ItemTally(in: root))
    }

    // MARK: Here

    /// Takes over what this computer lacks.
    mutating func take(here items: Set<ItemURI>, isPartial: Bool) -> Change {
        let gone = here.items.items.subtracting(items)
        let change = Change(items: here.items.replace(with: items), gone: gone, isOfAll: here.isPartial != isPartial)
        here.isPartial = isPartial
        return change
    }

    /// Whether this computer lacks the version of an item that all devices should have.
    func isLackedHere(_ item: ItemURI) -> Bool { here.items.contains(item) }

    /// Whether this computer may lack something in a directory.
    func isSomeLackedHere(below directory: ItemURI) -> Bool {
        here.isPartial || here.items.hasSome(below: directory)
    }

    // MARK: Elsewhere

    /// Takes over how much a device lacks; returns whether that is another number than before.
    mutating func take(_ new: Completion, of device: PeerID) -> Bool {
        defer { completion[device] = new }
        return completion[device] != new
    }

    /// A device lacks nothing.
    mutating func clear(_ device: PeerID) -> Change {
        let old = elsewhere.removeValue(forKey: device)
        return Change(items: old?.items.items ?? [], isOfAll: old?.isPartial ?? false)
    }

    /// Takes over what a device lacks.
    mutating func take(_ items: Set<ItemURI>, isPartial: Bool, of device: PeerID) -> Change {
        var list = elsewhere[device] ?? List(items: ItemTally(in: root))
        let change = Change(items: list.items.replace(with: items), isOfAll: list.isPartial != isPartial)
        list.isPartial = isPartial
        elsewhere[device] = list
        return change
    }

    /// Notes that an item was changed here: what is known of the other devices may be older.
    mutating func changedHere(_ item: ItemURI) { uncertain.insert(item) }

    /// All devices have said what they lack since the last change. Returns what was uncertain until now.
    mutating func heardAll() -> Set<ItemURI> { uncertain.replace(with: []) }

    /// Whether one of these devices has an item as it is here.
    func isSent(_ item: ItemURI, to devices: [PeerID]) -> Bool {
        !uncertain.contains(item) && some(devices) { !$0.contains(item) }
    }

    /// Whether one of these devices has all that is in a directory as it is here.
    func isAllSent(below directory: ItemURI, to devices: [PeerID]) -> Bool {
        !uncertain.hasSome(below: directory) && some(devices) { !$0.hasSome(below: directory) }
    }

    /// Whether this is true of what one of these devices lacks.
    private func some(_ devices: [PeerID], _ condition: (ItemTally) -> Bool) -> Bool {
        devices.contains { device in
            guard let completion = completion[device] else { return false }
            if completion.neededItems == 0 { return true }
            guard let list = elsewhere[device], !list.isPartial else { return false }
            return condition(list.items)
        }
    }
}
