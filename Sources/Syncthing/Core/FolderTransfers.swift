internal import RoundelBus

/// What is on its way in a folder: to this computer, and from here to other devices.
struct FolderTransfers {
    private(set) var receiving: [ItemURI: TransferProgress] = [:]
    /// What is received, also before it is known how far it is.
    private var started: ItemTally
    /// How many blocks a device has of what it receives.
    private var sending: [ItemURI: [PeerID: UInt64]] = [:]
    private var sent: ItemTally

    init(in root: ItemURI) { (started, sent) = (ItemTally(in: root), ItemTally(in: root)) }

    /// Returns whether it was not being received yet.
    mutating func begin(_ item: ItemURI) -> Bool { started.insert(item) }

    /// Returns whether it was being received.
    mutating func end(_ item: ItemURI) -> Bool {
        receiving[item] = nil
        return started.remove(item)
    }

    /// Nothing is received any more. Returns what was.
    mutating func endReceiving() -> Set<ItemURI> {
        receiving = [:]
        return started.replace(with: [])
    }

    /// Takes over how far items are; returns those that it is about now or was before.
    mutating func take(_ new: [ItemURI: TransferProgress]) -> Set<ItemURI> {
        defer { receiving = new }
        return Set(receiving.keys).union(new.keys)
    }

    /// Takes over how many blocks a device has of what it receives; returns the items that this may change.
    mutating func take(_ new: [ItemURI: UInt64], of device: PeerID) -> Set<ItemURI> {
        for item in sending.keys where sending[item]?[device] != nil && new[item] == nil {
            sending[item]?[device] = nil
            if sending[item]?.isEmpty ?? true { sending[item] = nil }
        }
        for (item, count) in new { sending[item, default: [:]][device] = count }
        return sent.replace(with: Set(sending.keys)).union(new.keys)
    }

    /// The badge of an item that is on its way, or contains something that is.
    /// - Parameter blocks: How many the item has; 0 if that is not known.
    func row(of item: ItemURI, blocks: UInt64) -> BadgeRow? {
        if let progress = receiving[item] { return BadgeRow(badge: .syncing, progress: progress.percent) }
        if let devices = sending[item], blocks > 0 {
            let progress = TransferProgress(done: devices.values.max() ?? 0, total: blocks)
            return BadgeRow(badge: .syncing, progress: progress.percent)
        }
        let isMoving = started.contains(item) || sent.contains(item)
        return isMoving || started.hasSome(below: item) || sent.hasSome(below: item) ? BadgeRow(badge: .syncing) : nil
    }
}
