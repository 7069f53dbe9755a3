internal import RoundelBus

/// Identifies an observed directory as long as it is observed; never reused for another one.
struct DirectoryID: Hashable {
    let slot: Int32
    let generation: UInt32
}

/// The observed directories.
struct DirectoryTable {
    private var records: [DirectoryRecord] = []
    private var generations: [UInt32] = []
    private var free: [Int32] = []
    private var byLocation: [ItemURI: DirectoryID] = [:]
    /// The directories to process at the end of the event, without duplicates.
    private var touched: [DirectoryID] = []
    private var nextTouched = 0
    /// For each slot, whether it is in ``touched``.
    private var isTouched: [Bool] = []

    var isEmpty: Bool { byLocation.isEmpty }
    var count: Int { byLocation.count }
    var ids: [DirectoryID] { Array(byLocation.values) }
    /// The directories ordered by place, for actions whose order should not depend on a hash.
    var orderedIDs: [DirectoryID] { byLocation.sorted { $0.key < $1.key }.map(\.value) }

    func id(at location: ItemURI) -> DirectoryID? { byLocation[location] }

    func contains(_ id: DirectoryID) -> Bool {
        generations[Int(id.slot)] == id.generation
    }

    subscript(id: DirectoryID) -> DirectoryRecord {
        _read { yield records[Int(id.slot)] }
        _modify { yield &records[Int(id.slot)] }
    }

    mutating func insert(_ location: ItemURI, _ placement: Placement) -> DirectoryID {
        let id: DirectoryID
        if let slot = free.popLast() {
            id = DirectoryID(slot: slot, generation: generations[Int(slot)])
            records[Int(slot)] = DirectoryRecord(id, location, placement)
        } else {
            id = DirectoryID(slot: Int32(records.count), generation: 0)
            records.append(DirectoryRecord(id, location, placement))
            generations.append(0)
            isTouched.append(false)
        }
        byLocation[location] = id
        return id
    }

    mutating func remove(_ id: DirectoryID) {
        let slot = Int(id.slot)
        byLocation[records[slot].location] = nil
        records[slot] = DirectoryRecord(id, .root, Placement())
        generations[slot] &+= 1
        isTouched[slot] = false
        free.append(id.slot)
        if byLocation.isEmpty { byLocation = [:] }
    }

    // MARK: Directories to process

    /// Marks a directory to be processed at the end of the event.
    mutating func touch(_ id: DirectoryID) {
        guard contains(id), !isTouched[Int(id.slot)] else { return }
        isTouched[Int(id.slot)] = true
        touched.append(id)
    }

    /// The next directory to process, which may touch others.
    mutating func popTouched() -> DirectoryID? {
        while nextTouched < touched.count {
            let id = touched[nextTouched]
            nextTouched += 1
            guard contains(id) else { continue }
            isTouched[Int(id.slot)] = false
            return id
        }
        if nextTouched > 0 {
            touched.removeAll(keepingCapacity: true)
            nextTouched = 0
        }
        return nil
    }
}
