internal import Glibc

/// A table by name whose lookup takes libdbus' own C strings, so that dispatching a call creates no `String`.
struct NameTable<Value> {
    private struct Entry {
        let name: [CChar]
        let hash: UInt64
        var value: Value
    }

    private var entries: [Entry] = []
    /// Positions in `entries` by hash, with linear probing; -1 is unused. At most half of them are used.
    private var slots: [Int] = Array(repeating: -1, count: 8)

    var isEmpty: Bool { entries.isEmpty }

    /// The values in the order in which they were inserted.
    var values: [Value] { entries.map(\.value) }

    /// The names in the order in which they were inserted.
    var names: [String] { entries.map { entry in entry.name.withUnsafeBufferPointer { text($0) } } }

    func lookup(_ name: UnsafePointer<CChar>) -> Value? {
        position(name).map { entries[$0].value }
    }

    subscript(_ name: String) -> Value? {
        name.withCString { lookup($0) }
    }

    mutating func insert(_ value: Value, _ name: String) {
        let existing = name.withCString { position($0) }
        if let existing {
            entries[existing].value = value
            return
        }
        let bytes = name.utf8CString
        entries.append(Entry(name: Array(bytes), hash: name.withCString { NameTable.hash($0) }, value: value))
        if slots.count < 2 * entries.count { rebuild() } else { place(entries.count - 1) }
    }

    mutating func remove(_ name: String) {
        guard let existing = name.withCString({ position($0) }) else { return }
        entries.remove(at: existing)
        rebuild()
    }

    private mutating func rebuild() {
        var count = slots.count
        while count < 2 * entries.count { count *= 2 }
        slots = Array(repeating: -1, count: count)
        for index in entries.indices { place(index) }
    }

    private mutating func place(_ index: Int) {
        var slot = Int(entries[index].hash & UInt64(slots.count - 1))
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = index
    }

    private func position(_ name: UnsafePointer<CChar>) -> Int? {
        let hash = NameTable.hash(name)
        var slot = Int(hash & UInt64(slots.count - 1))
        while slots[slot] >= 0 {
            let index = slots[slot]
            if entries[index].hash == hash,
                entries[index].name.withUnsafeBufferPointer({ $0.baseAddress.map { strcmp($0, name) == 0 } ?? false })
            {
                return index
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// FNV-1a. The program chooses the names, so an attacker cannot cause collisions.
    private static func hash(_ name: UnsafePointer<CChar>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var next = name
        while next.pointee != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: next.pointee))) &* 0x100_0000_01b3
            next += 1
        }
        return hash
    }

    private func text(_ name: UnsafeBufferPointer<CChar>) -> String {
        name.baseAddress.map { String(cString: $0) } ?? ""
    }
}
