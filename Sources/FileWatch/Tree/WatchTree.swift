import SystemPackage

/// The number of a directory in a ``WatchTree``; a number is used again after its directory is removed.
typealias WatchNodeID = UInt32

/// The directories that the watcher knows, by path and by watch descriptor.
///
/// Pure bookkeeping. A directory costs 28 bytes, its name and two table slots: no object, no path of its own.
struct WatchTree: ~Copyable {
    struct Flags: OptionSet {
        let rawValue: UInt8
        /// It has to be watched and listed.
        static let needsScan = Flags(rawValue: 1)
        /// It appeared in the listing that is being compared.
        static let seen = Flags(rawValue: 2)
        /// The root of a recursively watched folder.
        static let covers = Flags(rawValue: 4)
        /// A root or observed directory ends here, or one waits here for its next component.
        static let anchored = Flags(rawValue: 8)
        /// It is below its parent; a directory that is being moved is not.
        static let attached = Flags(rawValue: 16)
        /// Reported as a changed directory once it is scanned, even if it gets no watch.
        static let isNew = Flags(rawValue: 32)
        /// It is at the place where another directory was when it was moved there.
        static let tookPlace = Flags(rawValue: 64)
    }

    /// `/` itself.
    static let root: WatchNodeID = 0
    /// No directory.
    static let none = WatchNodeID.max

    private var store = WatchTreeStore()
    private var byName = NodeIndex()
    private var byWatch = NodeIndex()
    /// If a directory is mounted at several places, it has one watch: these are its nodes except the first.
    private var others: [Int32: [WatchNodeID]] = [:]
    private var firstFree = WatchTree.none
    private var nameGarbage = 0

    init() {
        store.nodes.append(WatchTreeNode.blank)
    }

    /// The number of watches.
    var watchCount: Int { byWatch.count }

    /// One more than the highest number in use.
    var endOfNodes: WatchNodeID { WatchNodeID(store.nodes.count) }

    // MARK: Looking up

    func parent(of node: WatchNodeID) -> WatchNodeID? { optional(store.nodes[Int(node)].parent) }
    func firstChild(of node: WatchNodeID) -> WatchNodeID? { optional(store.nodes[Int(node)].firstChild) }
    func nextSibling(of node: WatchNodeID) -> WatchNodeID? { optional(store.nodes[Int(node)].next) }
    func watch(of node: WatchNodeID) -> Int32? {
        store.nodes[Int(node)].watch >= 0 ? store.nodes[Int(node)].watch : nil
    }
    func flags(of node: WatchNodeID) -> Flags { store.nodes[Int(node)].flags }
    func isFree(_ node: WatchNodeID) -> Bool { store.nodes[Int(node)].isFree }

    /// The bytes of a directory's name; valid until the tree is changed.
    func name(of node: WatchNodeID) -> UnsafeBufferPointer<UInt8> {
        store.name(of: node)
    }

    func child(of parent: WatchNodeID, named name: UnsafeBufferPointer<UInt8>) -> WatchNodeID? {
        byName.find(hash: Self.hash(parent, name)) { candidate in
            store.nodes[Int(candidate)].parent == parent && Self.equal(self.name(of: candidate), name)
        }
    }

    func node(watchedBy watch: Int32) -> WatchNodeID? {
        byWatch.find(hash: Self.hash(watch)) { store.nodes[Int($0)].watch == watch }
    }

    /// Every node with this watch: several if its directory is mounted at several places.
    func nodes(watchedBy watch: Int32) -> [WatchNodeID] {
        guard let first = node(watchedBy: watch) else { return [] }
        return [first] + twins(of: watch)
    }

    /// The nodes with this watch except the first.
    func twins(of watch: Int32) -> [WatchNodeID] { others.isEmpty ? [] : others[watch] ?? [] }

    /// The directory and everything below it, parents before children.
    func subtree(of top: WatchNodeID) -> [WatchNodeID] {
        var found: [WatchNodeID] = [top]
        var position = 0
        while position < found.count {
            var child = store.nodes[Int(found[position])].firstChild
            while child != Self.none {
                found.append(child)
                child = store.nodes[Int(child)].next
            }
            position += 1
        }
        return found
    }

    /// The path from `ancestor` down to `node`, empty if they are the same; from `/` it is absolute.
    func path(of node: WatchNodeID, from ancestor: WatchNodeID = WatchTree.root) -> FilePath {
        var chain: [WatchNodeID] = []
        var current = node
        while current != ancestor, current != Self.none {
            chain.append(current)
            current = store.nodes[Int(current)].parent
        }
        var bytes: [UInt8] = []
        for (position, link) in chain.reversed().enumerated() {
            if position > 0 || ancestor == Self.root { bytes.append(UInt8(ascii: "/")) }
            bytes += name(of: link)
        }
        if chain.isEmpty, ancestor == Self.root { bytes.append(UInt8(ascii: "/")) }
        return FilePath(bytes: bytes)
    }

    // MARK: Changing

    mutating func set(_ flags: Flags, of node: WatchNodeID) { store.nodes[Int(node)].flags.formUnion(flags) }
    mutating func clear(_ flags: Flags, of node: WatchNodeID) { store.nodes[Int(node)].flags.subtract(flags) }

    /// Adds a directory that is not there yet.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>, to parent: WatchNodeID) -> WatchNodeID {
        let node: WatchNodeID
        if firstFree != Self.none {
            node = firstFree
            firstFree = store.nodes[Int(node)].next
            store.nodes[Int(node)] = WatchTreeNode.blank
        } else {
            node = WatchNodeID(store.nodes.count)
            store.nodes.append(WatchTreeNode.blank)
        }
        attach(node, to: parent, named: name)
        return node
    }

    /// Removes a directory without children, and its watch's entry.
    mutating func remove(_ node: WatchNodeID) {
        detach(node)
        unbind(node)
        store.nodes[Int(node)].isFree = true
        store.nodes[Int(node)].flags = []
        store.nodes[Int(node)].next = firstFree
        firstFree = node
    }

    /// Removes a directory from below its parent; it keeps its children and watches, and can be attached again.
    mutating func detach(_ node: WatchNodeID) {
        let record = store.nodes[Int(node)]
        guard record.flags.contains(.attached) else { return }
        byName.remove(node, hash: Self.hash(record.parent, name(of: node))) { store.nameHash($0) }
        if record.previous != Self.none {
            store.nodes[Int(record.previous)].next = record.next
        } else {
            store.nodes[Int(record.parent)].firstChild = record.next
        }
        if record.next != Self.none { store.nodes[Int(record.next)].previous = record.previous }
        nameGarbage += Int(record.nameLength)
        store.nodes[Int(node)].flags.remove(.attached)
        store.nodes[Int(node)].parent = Self.none
        store.nodes[Int(node)].next = Self.none
        store.nodes[Int(node)].previous = Self.none
        store.nodes[Int(node)].nameLength = 0
    }

    /// Puts a detached directory below `parent`.
    mutating func attach(_ node: WatchNodeID, to parent: WatchNodeID, named name: UnsafeBufferPointer<UInt8>) {
        let offset = UInt32(store.names.count)
        store.names.append(contentsOf: name)
        let sibling = store.nodes[Int(parent)].firstChild
        store.nodes[Int(node)].nameOffset = offset
        store.nodes[Int(node)].nameLength = UInt8(clamping: name.count)
        store.nodes[Int(node)].parent = parent
        store.nodes[Int(node)].previous = Self.none
        store.nodes[Int(node)].next = sibling
        store.nodes[Int(node)].flags.insert(.attached)
        if sibling != Self.none { store.nodes[Int(sibling)].previous = node }
        store.nodes[Int(parent)].firstChild = node
        byName.insert(node, hash: store.nameHash(node)) { store.nameHash($0) }
        if nameGarbage > 65536, nameGarbage > store.names.count / 2 { compactNames() }
    }

    /// Records the watch of a directory; others may have the same one.
    mutating func bind(_ node: WatchNodeID, to watch: Int32) {
        unbind(node)
        let isFirst = self.node(watchedBy: watch) == nil
        store.nodes[Int(node)].watch = watch
        if isFirst {
            byWatch.insert(node, hash: Self.hash(watch)) { store.watchHash($0) }
        } else {
            others[watch, default: []].append(node)
        }
    }

    /// Forgets the watch of a directory.
    ///
    /// - Returns: The watch if no other node has it.
    @discardableResult
    mutating func unbind(_ node: WatchNodeID) -> Int32? {
        let watch = store.nodes[Int(node)].watch
        guard watch >= 0 else { return nil }
        if let index = twins(of: watch).firstIndex(of: node) {
            store.nodes[Int(node)].watch = -1
            removeTwin(at: index, of: watch)
            return nil
        }
        byWatch.remove(node, hash: Self.hash(watch)) { store.watchHash($0) }
        store.nodes[Int(node)].watch = -1
        guard let heir = twins(of: watch).first else { return watch }
        removeTwin(at: 0, of: watch)
        byWatch.insert(heir, hash: Self.hash(watch)) { store.watchHash($0) }
        return nil
    }

    private mutating func removeTwin(at index: Int, of watch: Int32) {
        others[watch]?.remove(at: index)
        if others[watch]?.isEmpty ?? false { others[watch] = nil }
    }

    private mutating func compactNames() {
        var compact = MappedArray<UInt8>(minimumCapacity: store.names.count - nameGarbage)
        for index in 0..<store.nodes.count where store.nodes[index].nameLength > 0 {
            let offset = UInt32(compact.count)
            compact.append(contentsOf: name(of: WatchNodeID(index)))
            store.nodes[index].nameOffset = offset
        }
        store.names = compact
        nameGarbage = 0
    }

    // MARK: Hashing

    private func optional(_ node: WatchNodeID) -> WatchNodeID? { node == Self.none ? nil : node }

    static func hash(_ watch: Int32) -> UInt32 {
        mix(UInt64(UInt32(bitPattern: watch)))
    }

    /// FNV-1a over the name, seeded with the parent. A user who creates colliding names only slows down the watching of
    /// their own folder.
    static func hash(_ parent: WatchNodeID, _ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (UInt64(parent) &* 0x9e37_79b9_7f4a_7c15)
        for byte in name { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return mix(value)
    }

    private static func mix(_ value: UInt64) -> UInt32 {
        let product = (value ^ (value >> 29)) &* 0xbf58_476d_1ce4_e5b9
        return UInt32(truncatingIfNeeded: product >> 32)
    }

    private static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }
}
