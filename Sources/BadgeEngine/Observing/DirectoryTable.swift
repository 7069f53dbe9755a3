internal import RoundelBus

/// Names one observed directory for as long as it is observed; not used again for another.
struct DirectoryID: Hashable {
    var slot: Int32
    var generation: UInt32
}

/// The directories that somebody observes, and no others.
struct DirectoryTable {
    private var records: [DirectoryRecord] = []
    private var generations: [UInt32] = []
    private var free: [Int32] = []
    private var byLocation: [ItemURI: DirectoryID] = [:]

    var isEmpty: Bool { byLocation.isEmpty }
    var count: Int { byLocation.count }
    var ids: [DirectoryID] { Array(byLocation.values) }
    /// The directories in the order of their places, for actions whose order should not depend on a hash.
    var orderedIDs: [DirectoryID] { byLocation.sorted { $0.key < $1.key }.map(\.value) }

    func id(at location: ItemURI) -> DirectoryID? { byLocation[location] }

    func contains(_ id: DirectoryID) -> Bool {
        generations[Int(id.slot)] == id.generation
    }

    subscript(id: DirectoryID) -> DirectoryRecord {
        _read { yield records[Int(id.slot)] }
        _modify { yield &records[Int(id.slot)] }
    }

    mutating func insert(_ location: ItemURI) -> DirectoryID {
        let id: DirectoryID
        if let slot = free.popLast() {
            id = DirectoryID(slot: slot, generation: generations[Int(slot)])
            records[Int(slot)] = DirectoryRecord(location: location)
        } else {
            id = DirectoryID(slot: Int32(records.count), generation: 0)
            records.append(DirectoryRecord(location: location))
            generations.append(0)
        }
        byLocation[location] = id
        return id
    }

    mutating func remove(_ id: DirectoryID) {
        let slot = Int(id.slot)
        byLocation[records[slot].location] = nil
        records[slot] = DirectoryRecord(location: .root)
        generations[slot] &+= 1
        free.append(id.slot)
        if byLocation.isEmpty { byLocation = [:] }
    }
}
