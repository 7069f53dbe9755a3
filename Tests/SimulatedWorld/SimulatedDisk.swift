import SyncCore
import TestSupport

/// An in-memory file system that forgets what was not made durable.
///
/// Contents are numbers: every write of a user has one of its own. A crash leaves the state after some of the changes
/// since the last barrier, in any choice that the directories allow, and files whose contents were not made durable
/// before hold rubbish.
struct SimulatedDisk {
    /// The contents of a file that was renamed into place before its bytes were durable.
    static let rubbish = -1
    /// The contents of a version that never was.
    static let unknown = -2
    static let root = 1

    struct Inode {
        /// Whether a look shows no difference to what was seen before, after a renaming as well.
        func looks(like before: Inode?) -> Bool {
            guard let before, kind == before.kind, residence == before.residence else { return false }
            return kind == .directory || (size == before.size && modified == before.modified)
        }

        var kind: EntryKind
        /// What a file holds, or a placeholder stands for; of a directory which one it is, equal on both sides, 0 where
        /// nobody follows it.
        var content = 0
        var size: Int64 = 0
        var residence = Residence.here
        var permissions = Permissions(0o755)
        var modified: Int64
        var changed: Int64
        let birth: Int64
        /// The number by which others know it, the same for all names of one file, and the contents of what had it before.
        var identity = 0
        /// Whether the file has, or had, other names.
        var isLinked = false
        var predecessor: Int?
        var parent: Int
        var children: [EntryName: Int] = [:]
        var isDurable = true
    }

    struct State {
        var inodes: [Int: Inode] = [:]
        /// What the trash and the replaced-store hold.
        var kept: [Int] = []
        /// What gave way in a conflict and is not set beside its place yet, with the directory and the name for it.
        var slots: [Int: (parent: Int, name: EntryName)] = [:]

        mutating func forgetKept(_ content: Int) {
            if let index = kept.lastIndex(of: content) { kept.remove(at: index) }
        }
    }

    private(set) var state = State()
    /// The file system that is mounted in the root at times.
    private(set) var mount: SimulatedMount?
    private var journal: SimulatedJournal
    private var lastInode = SimulatedDisk.root
    /// What each version held that was there once; nil where nobody asks.
    private var formerContents: [Version: Int]?
    /// The numbers that were given back, and the contents of what had them; nil where none is given twice.
    private var freeIdentities: [(identity: Int, content: Int)]?
    /// How far the clock of this side is ahead, in nanoseconds.
    var clockOffset: Int64 = 0
    /// Nanoseconds between two ticks of the clock that stamps files.
    let grain: Int64
    /// Whether names that differ in case or normalisation alone are one name here.
    let foldsNames: Bool
    /// Whether it keeps permissions; else it tells none.
    let keepsPermissions: Bool

    /// Whether listings tell of each directory a tag that changes with all that is in it, however deep.
    let tagsDirectories: Bool

    /// Whether listings tell the hashes of some files: of those that were sent with theirs.
    let tellsDigests: Bool

    /// What the user may do with items and with what is in them, where that is not everything; nil where nothing is told
    /// of it.
    private var accesses: [Int: ItemAccess]?

    init(
        grain: Int64, foldsNames: Bool = false, keepsPermissions: Bool = true, reusesNumbers: Bool = false,
        tagsDirectories: Bool = false, tellsDigests: Bool = false, remembersContents: Bool = false,
        tellsAccess: Bool = false
    ) {
        self.grain = grain
        accesses = tellsAccess ? [:] : nil
        formerContents = remembersContents ? [:] : nil
        self.tagsDirectories = tagsDirectories
        self.tellsDigests = tellsDigests
        freeIdentities = reusesNumbers ? [] : nil
        self.foldsNames = foldsNames
        journal = SimulatedJournal(foldsNames: foldsNames)
        self.keepsPermissions = keepsPermissions
        state.inodes[Self.root] = Inode(kind: .directory, modified: 0, changed: 0, birth: 0, parent: 0)
    }

    // MARK: Looking

    func inode(at path: RelativePath) -> Int? {
        var current = Self.root
        for name in path.names {
            guard let next = state.inodes[current]?.children[name] else { return nil }
            current = next
        }
        return current
    }

    func permissions(at path: RelativePath) -> Permissions? {
        inode(at: path).flatMap { state.inodes[$0]?.permissions }
    }

    func version(of number: Int, now: Int64) -> Version {
        guard let inode = state.inodes[number] else { return .unknown }
        let own = bytes(Int64(inode.identity))
        let identity = Token(freeIdentities == nil ? own + bytes(inode.birth) : own)
        let permissions = keepsPermissions ? inode.permissions : nil
        if inode.kind != .file {
            return Version(identity: identity, tag: .none, size: 0, permissions: permissions)
        }
        let tag = Token(bytes(inode.size) + bytes(inode.modified) + bytes(inode.changed))
        return Version(
            identity: identity, tag: tag, size: inode.size, modified: inode.modified,
            isRacy: inode.residence == .here && isRacy(inode, now), permissions: permissions,
            residence: inode.residence)
    }

    /// What a version of a file holds, or held once.
    func content(of version: Version) -> Int {
        let there = state.inodes.first { $0.value.kind == .file && key(of: $0.key) == Self.key(version) }
        return there?.value.content ?? formerContents?[Self.key(version)] ?? Self.unknown
    }

    /// What tells a version from all others.
    private static func key(_ version: Version) -> Version {
        Version(identity: version.identity, tag: version.tag, size: version.size)
    }

    private func key(of number: Int) -> Version { Self.key(version(of: number, now: 0)) }

    /// Whether another change could leave the same times. A time that is to come was set by a clock that was wrong.
    private func isRacy(_ inode: Inode, _ now: Int64) -> Bool {
        let ages = [inode.modified, inode.changed].map { now + clockOffset - $0 }.filter { $0 > -grain }
        return ages.contains { $0 < 2 * grain }
    }

    private func bytes(_ value: Int64) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    /// The entries of a directory with these names, as far as they are there.
    func entries(of number: Int, named names: some Sequence<EntryName>, now: Int64) -> [ListedEntry] {
        guard let inode = state.inodes[number] else { return [] }
        return names.compactMap { name in inode.children[name].map { entry(name, $0, now: now) } }
    }

    /// What is in a directory, in order.
    func names(in number: Int) -> [EntryName] { state.inodes[number]?.children.keys.sorted() ?? [] }

    func entry(_ name: EntryName, _ number: Int, now: Int64) -> ListedEntry {
        let kind = state.inodes[number]?.kind ?? .special
        var version = version(of: number, now: now)
        if kind == .directory { version.tag = tag(of: number) }
        if tellsDigests, kind == .file, let content = state.inodes[number]?.content, content % 2 == 0 {
            version.hash = SimulatedEdge.hash(content)
        }
        return ListedEntry(
            name: name, kind: kind, version: version, isMountRoot: number == mount?.root, access: access(to: number))
    }

    // MARK: What is allowed

    /// What the user may do with an item: what is allowed of the nearest directory of which something is said. Nil where
    /// nothing is told.
    func access(to number: Int) -> ItemAccess? {
        guard let accesses else { return nil }
        var current = number
        while true {
            if let own = accesses[current] { return own }
            guard current != Self.root, let inode = state.inodes[current] else { return ItemAccess(.all) }
            current = inode.parent
        }
    }

    /// Says what the user may do with an item, and with what is in it of which nothing else is said.
    mutating func allow(_ access: ItemAccess?, of number: Int) { if accesses != nil { accesses?[number] = access } }

    /// Allows everything.
    mutating func allowEverything() { if accesses != nil { accesses = [:] } }

    /// Whether something that an effect does may be done.
    func isAllowed(_ spot: Footprint.Spot, _ footprint: Footprint) -> Bool {
        guard accesses != nil else { return true }
        let own = inode(at: spot.path).flatMap { access(to: $0)?.facts } ?? .all
        let around = inode(at: spot.path.parent).flatMap { access(to: $0)?.facts } ?? .all
        switch spot.touch {
        case .replace: return own.contains(.write)
        case .make(let kind): return around.contains(kind == .directory ? .addDirectories : .addFiles)
        case .remove, .discard: return own.contains(.delete)
        case .leave:
            let target = footprint.spots.first { $0.touch == .arrive }?.path
            let isRenamed = target?.name != spot.path.name
            let isMoved = target?.parent != spot.path.parent
            return (!isRenamed || own.contains(.rename)) && (!isMoved || own.contains(.move))
        case .arrive:
            guard let from = footprint.spots.first(where: { $0.touch == .leave })?.path, from.parent != spot.path.parent
            else { return true }
            let isDirectory = inode(at: from).map { state.inodes[$0]?.kind == .directory } ?? false
            return around.contains(isDirectory ? .addDirectories : .addFiles)
        case .look, .list, .read, .stage, .setPermissions, .fill, .describe, .setAside: return true
        }
    }

    /// The tag of a directory, which is the same as long as all that is in it is; none where there are none.
    func tag(of directory: Int) -> Token {
        guard tagsDirectories else { return .none }
        var hasher = Hasher()
        combine(directory, into: &hasher)
        return Token(bytes(Int64(hasher.finalize())))
    }

    private func combine(_ directory: Int, into hasher: inout Hasher) {
        for name in names(in: directory) {
            guard let number = state.inodes[directory]?.children[name], let kind = state.inodes[number]?.kind else {
                continue
            }
            hasher.combine(name)
            hasher.combine(kind)
            // Whether it is racy is a matter of when somebody looks.
            var version = version(of: number, now: 0)
            version.isRacy = false
            hasher.combine(version)
            hasher.combine(number == mount?.root)
            combine(number, into: &hasher)
            hasher.combine(0)
        }
    }

    /// Every entry by its path.
    func walk() -> [(path: RelativePath, inode: Int)] {
        var found: [(path: RelativePath, inode: Int)] = []
        var stack = [(RelativePath.root, Self.root)]
        while let (path, number) = stack.popLast() {
            let children = (state.inodes[number]?.children ?? [:]).sorted { $0.key < $1.key }
            for (name, child) in children {
                found.append((path.appending(name), child))
                stack.append((path.appending(name), child))
            }
        }
        return found
    }

    /// Every path with what it holds, to be printed.
    var contentsInPrint: String {
        walk().map { "\($0.path)=\(state.inodes[$0.inode]?.content ?? 0)" }.joined(separator: " ")
    }

    /// The numbers of an inode and of all below it, or of those of one kind; of files, those whose contents are here.
    func numbers(from number: Int, only kind: EntryKind? = nil) -> [Int] {
        var found: [Int] = []
        var stack = [number]
        while let next = stack.popLast(), let inode = state.inodes[next] {
            if kind == nil || (inode.kind == kind && inode.residence == .here) { found.append(inode.content) }
            stack += inode.children.values
        }
        return found
    }

    /// The numbers of everything.
    var numbers: Set<Int> { Set(numbers(from: Self.root)) }

    /// Where an inode is.
    func path(of number: Int) -> RelativePath? {
        var names: [EntryName] = []
        var current = number
        while current != Self.root {
            guard let parent = state.inodes[current]?.parent,
                let name = state.inodes[parent]?.children.first(where: { $0.value == current })?.key
            else { return nil }
            names.append(name)
            current = parent
        }
        return names.isEmpty ? nil : RelativePath(names.reversed())
    }

    /// The entry of a directory, other than `besides`, that keeps a name from being given.
    func obstacle(to name: EntryName, in parent: Int, besides own: Int = 0) -> (name: EntryName, inode: Int)? {
        guard let children = state.inodes[parent]?.children else { return nil }
        if let there = children[name] { return there == own ? nil : (name, there) }
        guard foldsNames else { return nil }
        let folded = name.folded
        return children.first { $0.value != own && $0.key.folded == folded }.map { ($0.key, $0.value) }
    }

    // MARK: Mounts

    /// Makes a directory at which a file system is mounted; both are empty.
    mutating func makeMount(now: Int64) {
        beginDurableChange()
        let name = SimulatedMount.name
        guard let under = create(.directory, content: 0, size: 0, at: RelativePath([name]), now: now) else { return }
        lastInode += 1
        state.inodes[lastInode] = Inode(
            kind: .directory, modified: now, changed: now, birth: now, identity: lastInode, parent: Self.root)
        mount = SimulatedMount(root: lastInode, under: under)
        setMounted(true)
    }

    /// Whether two directories are in one file system: nothing is renamed from one to another.
    func isOnOneFileSystem(_ first: Int, _ second: Int) -> Bool { isInMount(first) == isInMount(second) }

    private func isInMount(_ directory: Int) -> Bool {
        guard let mount else { return false }
        var current = directory
        while current != 0 && current != mount.root { current = state.inodes[current]?.parent ?? 0 }
        return current == mount.root
    }

    /// Mounts the file system or unmounts it: then its place is an empty directory.
    mutating func setMounted(_ isMounted: Bool) {
        guard let mount else { return }
        journal.flush()
        self.mount?.isMounted = isMounted
        state.inodes[Self.root]?.children[SimulatedMount.name] = isMounted ? mount.root : mount.under
    }

    /// The contents of a file in the file system that is not mounted now, by its path in the folder.
    func hiddenContent(at path: RelativePath) -> Int? {
        guard let mount, !mount.isMounted, path.names.first == SimulatedMount.name else { return nil }
        var current = mount.root
        for name in path.names.dropFirst() {
            guard let next = state.inodes[current]?.children[name] else { return nil }
            current = next
        }
        return state.inodes[current]?.kind == .file ? state.inodes[current]?.content : nil
    }

    // MARK: Backups

    /// Puts files and directories back as they were, as `cp -a` does after everything was deleted: each is another one,
    /// with the time that it had.
    mutating func putBack(_ backup: State, now: Int64) {
        journal.flush()
        var numbers = [Self.root: Self.root]
        var inodes = [
            Self.root: backup.inodes[Self.root] ?? Inode(kind: .directory, modified: 0, changed: 0, birth: 0, parent: 0)
        ]
        for number in backup.inodes.keys.sorted() where number != Self.root {
            lastInode += 1
            numbers[number] = lastInode
        }
        for (old, new) in numbers {
            guard let inode = backup.inodes[old] else { continue }
            var copy = Inode(
                kind: inode.kind, content: inode.content, size: inode.size, permissions: inode.permissions,
                modified: inode.modified,
                changed: old == Self.root ? inode.changed : stamp(now), birth: old == Self.root ? 0 : now,
                parent: numbers[inode.parent] ?? 0)
            copy.children = inode.children.compactMapValues { numbers[$0] }
            copy.identity = new
            inodes[new] = copy
        }
        state.inodes = inodes
    }

    // MARK: Durability

    /// What changed in these directories, and the contents and permissions of these items, survive a power cut from now
    /// on, those of a file whichever of its names is told. Where one is not found any more, or is another one, nobody
    /// knows what was meant: then everything does. What needs a change that is not named waits for that.
    mutating func syncRenames(_ items: [BarrierItem], now: Int64) {
        let named = items.map { item in
            inode(at: item.path).flatMap { number in
                item.identity.isEmpty || version(of: number, now: now).identity == item.identity ? number : nil
            }
        }
        guard !named.contains(nil) else { return journal.flush() }
        let directories = named.compactMap(\.self).reduce(into: Set<Int>()) { $0.formUnion(state.names(of: $1)) }
        journal.sync(directories, in: state)
    }

    /// The change that follows, of the session or of a person, may be lost until a barrier names where it was made.
    mutating func beginVolatileChange(byPerson isPersons: Bool = false) {
        journal.beginVolatileChange(of: state, byPerson: isPersons)
    }

    /// The change that follows survives; what was changed before does as far as it needs it.
    mutating func beginDurableChange() { journal.beginDurableChange() }

    /// The machine has been at rest for long enough to write everything to the disk.
    mutating func writeBack() {
        journal.flush()
        for number in state.inodes.keys { state.inodes[number]?.isDurable = true }
    }

    /// The machine stops: of what was not made durable, some changes are persisted, whichever the disk came to first.
    mutating func crash(_ random: inout SeededRandom) { stop(leaving: journal.crash(&random)) }

    /// The machine stops, and nothing of what was not made durable is left.
    mutating func loseVolatile() { stop(leaving: journal.lose()) }

    /// - Parameter left: What is on the disk; nil if everything is.
    private mutating func stop(leaving left: State?) {
        if let left { state = left }
        // What was deleted may be there again, with its number.
        if freeIdentities != nil { freeIdentities = [] }
        for (number, inode) in state.inodes where !inode.isDurable {
            state.inodes[number]?.content = Self.rubbish
            state.inodes[number]?.isDurable = true
        }
    }

    @discardableResult
    private mutating func make(_ change: DiskChange) -> Bool {
        guard state.apply(change) else { return false }
        for number in formerContents == nil ? [] : change.items where state.inodes[number]?.kind == .file {
            let key = key(of: number)
            formerContents?[key] = state.inodes[number]?.content
        }
        journal.note(change)
        return true
    }

    // MARK: Changing

    private func stamp(_ now: Int64) -> Int64 { (now + clockOffset) / grain * grain }

    mutating func create(
        _ kind: EntryKind, content: Int, size: Int64, at path: RelativePath, isDurable: Bool = true,
        permissions: Permissions? = nil, modified: Int64? = nil, residence: Residence = .here, now: Int64
    ) -> Int? {
        guard let name = path.name, let parent = inode(at: path.parent), obstacle(to: name, in: parent) == nil
        else { return nil }
        lastInode += 1
        let free = freeIdentities?.popLast()
        let inode = Inode(
            kind: kind, content: content, size: size, residence: residence,
            permissions: permissions ?? Permissions(kind == .file ? 0o644 : 0o755), modified: modified ?? stamp(now),
            changed: stamp(now), birth: now, identity: free?.identity ?? lastInode,
            predecessor: free?.content, parent: parent, isDurable: isDurable)
        return make(.create(lastInode, inode, name)) ? lastInode : nil
    }

    /// A user gives a file another name; false if that is impossible. Where numbers are given again none is.
    mutating func link(_ number: Int, to path: RelativePath, now: Int64) -> Bool {
        guard let inode = state.inodes[number], inode.kind == .file, freeIdentities == nil, let name = path.name,
            let parent = self.inode(at: path.parent), obstacle(to: name, in: parent) == nil,
            isOnOneFileSystem(inode.parent, parent)
        else { return false }
        lastInode += 1
        return make(.link(number, as: lastInode, in: parent, name, stamp: stamp(now)))
    }

    /// A user writes into a file.
    mutating func overwrite(_ number: Int, content: Int, size: Int64, now: Int64) {
        make(.write(number, content: content, size: size, stamp: stamp(now)))
    }

    /// A file or placeholder holds or stands for these contents from now on.
    mutating func setContents(
        _ content: Int, size: Int64, modified: Int64, _ residence: Residence, of number: Int, now: Int64
    ) {
        make(.setContents(number, content, size: size, modified: modified, residence, stamp: stamp(now)))
    }

    /// The contents of a file become others, and nothing shows it.
    mutating func rot(_ number: Int, to content: Int) { state.inodes[number]?.content = content }

    /// Says which directory, equal on both sides, this is.
    mutating func setOrigin(_ origin: Int, of number: Int) {
        state.inodes[number]?.content = origin
        journal.amend { $0.inodes[number]?.content = origin }
    }

    /// Changes who may do what with an item; nothing where permissions are not kept.
    mutating func setPermissions(_ permissions: Permissions, of number: Int, now: Int64) {
        if keepsPermissions { make(.setPermissions(number, permissions, stamp: stamp(now))) }
    }

    /// Removes an entry.
    mutating func remove(_ path: RelativePath, _ removal: DiskRemoval = .whole) {
        guard let name = path.name, let parent = inode(at: path.parent), let number = inode(at: path) else { return }
        if freeIdentities != nil && removal != .kept {
            let freed = subtree(number).sorted { $0.key < $1.key }.map { ($0.value.identity, $0.value.content) }
            freeIdentities?.append(contentsOf: freed)
        }
        make(.remove(number, parent: parent, name, removal, state.remains(of: number)))
    }

    /// Renames, over nothing; false if that is impossible.
    mutating func rename(_ from: RelativePath, to: RelativePath, now: Int64) -> Bool {
        guard let number = inode(at: from), let oldName = from.name, let newName = to.name,
            let oldParent = inode(at: from.parent), let newParent = inode(at: to.parent),
            isOnOneFileSystem(oldParent, newParent), obstacle(to: newName, in: newParent, besides: number) == nil
        else { return false }
        return make(
            .rename(number, from: oldParent, oldName, to: newParent, newName, stamp: stamp(now)))
    }

    /// An entry leaves its name, until it is set beside it.
    mutating func detach(_ path: RelativePath, beside: EntryName) -> Bool {
        guard let number = inode(at: path), let parent = inode(at: path.parent), let name = path.name else {
            return false
        }
        return make(.detach(number, parent: parent, name, beside: beside))
    }

    /// Sets beside its place what was detached, as the edge does also when it starts.
    mutating func attachAll(now: Int64) {
        for number in state.slots.keys.sorted() where !attach(number, now: now) { make(.keep(number)) }
    }

    /// Sets beside its place, or brings to another name there, what was detached; false if that is taken.
    @discardableResult
    mutating func attach(_ number: Int, as name: EntryName? = nil, now: Int64) -> Bool {
        make(.attach(number, as: name, stamp: stamp(now)))
    }

    /// Brings back what was taken from a name.
    mutating func putBack(_ taken: SteppedEffect.Taken, in directory: Int, as name: EntryName, now: Int64) {
        make(.putBack(taken, parent: directory, name, stamp: stamp(now)))
    }

    /// An inode and all below it.
    func subtree(_ number: Int) -> [Int: Inode] {
        var found: [Int: Inode] = [:]
        var stack = [number]
        while let next = stack.popLast(), let inode = state.inodes[next] {
            found[next] = inode
            stack += inode.children.values
        }
        return found
    }

    /// These contents are kept no longer.
    mutating func forgetKept(_ contents: [Int]) {
        for content in contents {
            state.forgetKept(content)
            journal.amend { $0.forgetKept(content) }
        }
    }

    /// Two entries, none below the other, exchange their names; false if that is impossible.
    mutating func exchange(_ first: RelativePath, _ second: RelativePath, now: Int64) -> Bool {
        guard let one = inode(at: first), let other = inode(at: second), let oneName = first.name,
            let otherName = second.name, let oneParent = inode(at: first.parent),
            let otherParent = inode(at: second.parent), isOnOneFileSystem(oneParent, otherParent),
            !first.names.starts(with: second.names), !second.names.starts(with: first.names)
        else { return false }
        return make(.exchange(one, in: oneParent, oneName, with: other, of: otherParent, otherName, stamp: stamp(now)))
    }
}
