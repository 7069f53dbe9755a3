package import MountProtocol

/// What the kernel calls an item of a mounted folder. A number is never given to another item.
package struct NodeNumber: Hashable, Sendable {
    /// The number in the kernel's requests.
    package let rawValue: UInt64

    /// A number out of a request; it may be no item's.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The mounted folder itself (FUSE_ROOT_ID).
    package static let root = NodeNumber(rawValue: 1)
}

/// Which item stands at which name, as far as the kernel knows: it says when it has forgotten an item.
///
/// An item is known by its directory and its name; there is no descriptor for each. A file with several names is one item
/// with several names, because the kernel keeps contents by item. An item without a name was deleted and is still in use.
package struct NodeTree: Sendable {
    /// Where an item is.
    package struct Spot: Hashable, Sendable {
        package let parent: NodeNumber
        package let name: NodeName

        package init(parent: NodeNumber, name: NodeName) {
            self.parent = parent
            self.name = name
        }
    }

    private struct Node: Sendable {
        /// Counts who had this place in the table before, so that numbers stay different.
        var serial: UInt32 = 0
        /// The place of the directory, 0 without a name.
        var parent: UInt32 = 0
        var name: NodeName?
        var inode: UInt64 = 0
        /// How many times the kernel was told of it and has not forgotten that.
        var lookups: UInt64 = 0
        /// How many known names are in this directory.
        var children: UInt32 = 0
        /// The next of those whose names have the same hash.
        var next: UInt32 = 0
        var isUsed = false
    }

    private static let rootPlace: UInt32 = 1

    /// The first stands for none.
    private var nodes: [Node] = [Node(), Node()]
    private var unused: [UInt32] = []
    /// The first node of each hash.
    private var buckets = [UInt32](repeating: 0, count: 64)
    private var named = 0
    /// The names of files with several, besides the first of each.
    private var moreNames: [Spot: UInt32] = [:]
    private var spotsOf: [UInt32: [Spot]] = [:]
    /// Files with several names, by inode: the next name leads to the same node.
    private var shared: [UInt64: UInt32] = [:]

    /// - Parameter rootInode: The inode of the folder itself.
    package init(rootInode: UInt64) {
        nodes[1].inode = rootInode
        nodes[1].isUsed = true
        nodes[1].lookups = 1
    }

    /// How many items are known, the folder itself among them.
    package var count: Int { nodes.count - 1 - unused.count }

    // MARK: Asking

    /// Whether a number is that of a known item.
    package func contains(_ node: NodeNumber) -> Bool { self.place(node) != nil }

    /// The inode behind an item; nil for an unknown one.
    package func inode(of node: NodeNumber) -> UInt64? { self.place(node).map { nodes[Int($0)].inode } }

    /// The item at a name, if it is known.
    package func find(_ name: NodeName, in parent: NodeNumber) -> NodeNumber? {
        self.place(parent).flatMap { find(name, in: $0) }.map(number)
    }

    /// The item at a path, if it is known.
    package func find(_ path: NodePath) -> NodeNumber? {
        var place = Self.rootPlace
        for name in path.names {
            guard let next = find(name, in: place) else { return nil }
            place = next
        }
        return number(place)
    }

    /// Where an item is, by one of its names; nil for the folder itself and for an item without a name.
    package func spot(of node: NodeNumber) -> Spot? {
        guard let place = self.place(node), let name = nodes[Int(place)].name else { return nil }
        return Spot(parent: number(nodes[Int(place)].parent), name: name)
    }

    /// The way to an item from the folder; nil if it or a directory on the way has no name.
    package func path(of node: NodeNumber) -> NodePath? {
        guard var place = self.place(node) else { return nil }
        var names: [NodeName] = []
        while place != Self.rootPlace {
            guard let name = nodes[Int(place)].name else { return nil }
            names.append(name)
            place = nodes[Int(place)].parent
        }
        return NodePath(names.reversed())
    }

    // MARK: Telling

    /// The item of this name and inode, which counts as told to the kernel once more.
    ///
    /// - Parameter isShared: Whether the file has several names.
    /// - Returns: Nil if the directory is unknown.
    package mutating func enter(
        _ name: NodeName, in parent: NodeNumber, inode: UInt64, isShared: Bool
    ) -> NodeNumber? {
        guard let directory = self.place(parent) else { return nil }
        retain(directory)
        defer { release(directory) }
        if let known = find(name, in: directory) {
            if nodes[Int(known)].inode == inode {
                if isShared && shared[inode] == nil { shared[inode] = known }
                nodes[Int(known)].lookups += 1
                return number(known)
            }
            detach(name, in: directory)
        }
        // Also of one that has lost all names but one.
        if let known = shared[inode] {
            attach(name, in: directory, to: known)
            nodes[Int(known)].lookups += 1
            return number(known)
        }
        let place = add(inode: inode)
        if isShared { shared[inode] = place }
        attach(name, in: directory, to: place)
        return number(place)
    }

    /// A new item without a name, told to the kernel once.
    package mutating func enterNameless(inode: UInt64) -> NodeNumber {
        let place = add(inode: inode)
        return number(place)
    }

    /// Counts an item as told once more, so that it stays known; ``forget(_:_:)`` takes that back.
    package mutating func keep(_ node: NodeNumber) {
        if let place = self.place(node) { nodes[Int(place)].lookups += 1 }
    }

    /// The kernel has forgotten an item so many times.
    /// - Returns: Whether it is unknown now.
    @discardableResult
    package mutating func forget(_ node: NodeNumber, _ count: UInt64) -> Bool {
        guard let place = self.place(node), place != Self.rootPlace else { return false }
        nodes[Int(place)].lookups -= min(count, nodes[Int(place)].lookups)
        return collect(place)
    }

    // MARK: Changing

    /// A name was removed.
    ///
    /// - Parameter isLast: Whether the file is gone altogether, and not known by another name.
    /// - Returns: The item that had it, if it has no known name now.
    @discardableResult
    package mutating func remove(_ name: NodeName, in parent: NodeNumber, isLast: Bool) -> NodeNumber? {
        guard let directory = self.place(parent), let place = find(name, in: directory) else { return nil }
        let node = number(place)
        if isLast, shared[nodes[Int(place)].inode] == place { shared[nodes[Int(place)].inode] = nil }
        detach(name, in: directory)
        return contains(node) && nodes[Int(place)].name == nil ? node : nil
    }

    /// A name leads where the other did, which is gone; what had it has lost it.
    ///
    /// - Parameter isLast: Whether what had the name is gone altogether.
    /// - Returns: The item that had the name, if it has no known name now.
    @discardableResult
    package mutating func move(_ from: Spot, to target: Spot, isLast: Bool) -> NodeNumber? {
        guard let source = self.place(from.parent), let directory = self.place(target.parent) else { return nil }
        let moved = find(from.name, in: source)
        // Two names of one file: rename(2) leaves both.
        if let moved, moved == find(target.name, in: directory) { return nil }
        let held = [source, directory] + [moved].compactMap(\.self)
        for place in held { retain(place) }
        defer { for place in held { release(place) } }
        let replaced = remove(target.name, in: target.parent, isLast: isLast)
        detach(from.name, in: source)
        if let moved { attach(target.name, in: directory, to: moved) }
        return replaced
    }

    /// Two names lead where the other one did.
    package mutating func exchange(_ one: Spot, _ other: Spot) {
        guard let first = self.place(one.parent), let second = self.place(other.parent) else { return }
        let (left, right) = (find(one.name, in: first), find(other.name, in: second))
        guard left != right else { return }
        let held = [first, second] + [left, right].compactMap(\.self)
        for place in held { retain(place) }
        defer { for place in held { release(place) } }
        detach(one.name, in: first)
        detach(other.name, in: second)
        if let left { attach(other.name, in: second, to: left) }
        if let right { attach(one.name, in: first, to: right) }
    }

    /// An item has one more name, told to the kernel.
    package mutating func link(_ node: NodeNumber, to name: NodeName, in parent: NodeNumber) {
        guard let place = self.place(node), let directory = self.place(parent) else { return }
        // Also what the kernel was told.
        retain(place)
        retain(directory)
        defer { release(directory) }
        detach(name, in: directory)
        if nodes[Int(place)].name != nil { shared[nodes[Int(place)].inode] = place }
        attach(name, in: directory, to: place)
    }

    // MARK: Places in the table

    private func number(_ place: UInt32) -> NodeNumber {
        NodeNumber(rawValue: UInt64(nodes[Int(place)].serial) << 32 | UInt64(place))
    }

    private func place(_ node: NodeNumber) -> UInt32? {
        let place = Int(UInt32(truncatingIfNeeded: node.rawValue))
        guard place > 0, place < nodes.count, nodes[place].isUsed, nodes[place].serial == node.rawValue >> 32 else {
            return nil
        }
        return UInt32(place)
    }

    private mutating func add(inode: UInt64) -> UInt32 {
        let place: UInt32
        if let free = unused.popLast() {
            place = free
        } else {
            place = UInt32(nodes.count)
            nodes.append(Node())
        }
        nodes[Int(place)].inode = inode
        nodes[Int(place)].lookups = 1
        nodes[Int(place)].isUsed = true
        return place
    }

    private mutating func retain(_ place: UInt32) { nodes[Int(place)].lookups += 1 }

    private mutating func release(_ place: UInt32) {
        nodes[Int(place)].lookups -= 1
        collect(place)
    }

    /// Removes what the kernel has forgotten, and the directories that were kept only for it.
    @discardableResult
    private mutating func collect(_ place: UInt32) -> Bool {
        let node = nodes[Int(place)]
        guard place != Self.rootPlace, node.lookups == 0, node.children == 0 else { return false }
        let spots = (node.name.map { [Spot(parent: number(node.parent), name: $0)] } ?? []) + (spotsOf[place] ?? [])
        if shared[node.inode] == place { shared[node.inode] = nil }
        // Not to be collected again for each of its names.
        nodes[Int(place)].lookups = 1
        for spot in spots {
            guard let directory = self.place(spot.parent) else { continue }
            detach(spot.name, in: directory)
        }
        nodes[Int(place)] = Node(serial: node.serial &+ 1)
        unused.append(place)
        return true
    }

    // MARK: Names

    private func find(_ name: NodeName, in directory: UInt32) -> UInt32? {
        var place = buckets[bucket(name, directory)]
        while place != 0 {
            if nodes[Int(place)].parent == directory, nodes[Int(place)].name == name { return place }
            place = nodes[Int(place)].next
        }
        return moreNames.isEmpty ? nil : moreNames[Spot(parent: number(directory), name: name)]
    }

    private mutating func attach(_ name: NodeName, in directory: UInt32, to place: UInt32) {
        nodes[Int(directory)].children += 1
        guard nodes[Int(place)].name == nil else {
            let spot = Spot(parent: number(directory), name: name)
            moreNames[spot] = place
            spotsOf[place, default: []].append(spot)
            return
        }
        nodes[Int(place)].name = name
        nodes[Int(place)].parent = directory
        named += 1
        if named > buckets.count { rehash() } else { chain(place) }
    }

    /// Takes a name from whatever has it. What is forgotten and has none any more is removed.
    private mutating func detach(_ name: NodeName, in directory: UInt32) {
        guard let place = find(name, in: directory) else { return }
        let spot = Spot(parent: number(directory), name: name)
        if moreNames[spot] == place {
            moreNames[spot] = nil
            drop(spot, of: place)
        } else {
            unchain(place)
            nodes[Int(place)].name = nil
            nodes[Int(place)].parent = 0
            named -= 1
            promote(place)
        }
        nodes[Int(directory)].children -= 1
        collect(place)
        collect(directory)
    }

    /// The first of the other names takes the place of the one that is gone.
    private mutating func promote(_ place: UInt32) {
        guard let spot = spotsOf[place]?.first, let directory = self.place(spot.parent) else { return }
        moreNames[spot] = nil
        drop(spot, of: place)
        nodes[Int(place)].name = spot.name
        nodes[Int(place)].parent = directory
        named += 1
        chain(place)
    }

    private mutating func drop(_ spot: Spot, of place: UInt32) {
        spotsOf[place]?.removeAll { $0 == spot }
        if spotsOf[place]?.isEmpty == true { spotsOf[place] = nil }
    }

    // MARK: Hashing

    private func bucket(_ name: NodeName, _ directory: UInt32) -> Int {
        // FNV-1a: good enough for names, and as fast as they are short.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(directory)
        for byte in name.terminated { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ (hash >> 32)) & UInt64(buckets.count - 1))
    }

    private mutating func chain(_ place: UInt32) {
        guard let name = nodes[Int(place)].name else { return }
        let bucket = bucket(name, nodes[Int(place)].parent)
        nodes[Int(place)].next = buckets[bucket]
        buckets[bucket] = place
    }

    private mutating func unchain(_ place: UInt32) {
        guard let name = nodes[Int(place)].name else { return }
        let bucket = bucket(name, nodes[Int(place)].parent)
        let next = nodes[Int(place)].next
        nodes[Int(place)].next = 0
        if buckets[bucket] == place {
            buckets[bucket] = next
            return
        }
        var before = buckets[bucket]
        while before != 0 {
            if nodes[Int(before)].next == place {
                nodes[Int(before)].next = next
                return
            }
            before = nodes[Int(before)].next
        }
    }

    private mutating func rehash() {
        buckets = [UInt32](repeating: 0, count: buckets.count * 2)
        for place in nodes.indices.dropFirst(2) where nodes[place].isUsed && nodes[place].name != nil {
            chain(UInt32(place))
        }
    }
}
