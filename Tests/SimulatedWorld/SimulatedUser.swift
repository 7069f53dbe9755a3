import SyncCore
import TestSupport

/// People and programs that change both sides at random, and what they have a right to find again.
struct SimulatedUser {
    /// What was written and not overwritten or deleted by a user.
    private(set) var owned: Set<Int> = []
    /// What they did, and what follows from it.
    var ledger = Ledger()
    /// Whether the last change was one of both sides.
    private(set) var onBothSides = false
    /// Whether it renamed a directory.
    private(set) var hasMovedDirectory = false
    /// Whether it changed a file with several names so that no event leads to one of these, which a scan alone finds: under
    /// a name in a directory that is not synced, or under one that came and went.
    private(set) var isUntold = false
    /// Versions that were written, or given other permissions, under one of several names.
    private var changedUnderAll: Set<Int> = []
    /// Whether a crash may take back what they do.
    var isVolatile = false
    /// Whether they delete much at once.
    var sweeps = false
    /// Whether they delete directories with everything in them more often than anything else.
    var deletesTrees = false
    /// Whether they give files second names.
    var links = false
    /// What they did on a side and nobody may have made durable: all that is not there any more, what of it was theirs,
    /// what has a name by now that is not synced, and what they wrote.
    private struct Recent {
        var dropped: Set<Int> = []
        var hidden: Set<Int> = []
        var disowned: Set<Int> = []
        var written: Set<Int> = []
    }

    private var recent = [Recent(), Recent()]
    /// What the remote lost when it was put back, while a copy here was about to be made durable.
    private var endangered: Set<Int> = []
    /// Which names are not synced: what gets one is gone for the other side.
    private var excludes = ExcludePatterns()
    /// Entries that were moved.
    private var movedBefore: Set<Int> = []
    private var lastContent = 0
    private static let names: [EntryName] =
        ["a", "b", "c", "d", "e.txt", "x~", "A", "\u{e9}", "e\u{301}"].compactMap { EntryName($0) }
        + [EntryName([0xFF, 0x0A, 0x20]), EntryName([UInt8](repeating: 0x6E, count: 255))].compactMap { $0 }

    /// One random change of one side; the paths that a watcher would tell, none if it came to nothing.
    ///
    /// - Parameter busy: Where others are at work: half of the changes are made there.
    mutating func edit(
        _ edge: inout SimulatedEdge, _ side: Side, _ random: inout SeededRandom, near busy: [RelativePath] = []
    ) -> [RelativePath] {
        (onBothSides, hasMovedDirectory, isUntold) = (false, false, false)
        if edge.roots.contains(where: { $0 != .own }) { return [] }
        let spot = busy.isEmpty || random.oneIn(2) ? nil : random.pick(busy)
        var all = edge[side].walk().filter { $0.path != RelativePath([SimulatedMount.name]) }
        if let spot, all.contains(where: { $0.path == spot }) { all.removeAll { $0.path != spot } }
        let directories =
            [RelativePath.root]
            + edge[side].walk().filter { edge[side].state.inodes[$0.inode]?.kind == .directory }.map(\.path)
        let files = all.filter { edge[side].state.inodes[$0.inode]?.kind == .file }
        beginChange(&edge, side)
        let before = isVolatile ? edge : nil
        let owned = owned
        defer { if let before { note(before, edge, owned, on: side) } }
        guard let directory = random.pick(directories), let name = random.pick(Self.names) else { return [] }
        var target = directory.names.count < 5 ? directory.appending(name) : RelativePath([name])
        if let spot, random.oneIn(2), spot.name != nil { target = spot }
        if edge.isHidden(target, on: side) { return [] }
        if deletesTrees && side == .local {
            switch random.below(6) {
            case 0, 1:
                let deletable = directories.filter { !$0.isRoot && $0.name != SimulatedMount.name }
                return remove(random.pick(deletable), &edge, side)
            case 2: return plant(target, &edge, side, &random)
            default: break
            }
        }
        switch random.below(27) {
        case 0..<5:
            if links && random.oneIn(2) { return link(random.pick(files)?.inode, as: target, &edge, side) }
            return create(.file, at: target, &edge, side, &random)
        case 5..<7: return create(.directory, at: target, &edge, side, &random)
        case 7..<11: return overwrite(random.pick(files)?.inode, &edge, side)
        case 11..<14: return move(random.pick(all)?.path, to: target, &edge, side, replacing: random.oneIn(3))
        case 14..<16: return exchange(all, &edge, side, &random)
        case 16..<19:
            if sweeps && random.oneIn(2) { return sweep(all.map(\.path), &edge, side) }
            return remove(random.pick(all)?.path, &edge, side)
        case 20..<24: return setPermissions(random.pick(all)?.path, &edge, side, &random)
        case 24..<27: return saveAnew(random.pick(files)?.path, &edge, side)
        default:
            guard side == .local else { return bothCreate(target, &edge, &random) }
            return create(.symlink, at: target, &edge, side, &random)
        }
    }

    /// Makes a directory with so many files in it.
    mutating func fill(_ edge: inout SimulatedEdge, _ side: Side, files: Int, _ random: inout SeededRandom) {
        guard let wide = EntryName("wide") else { return }
        let directory = RelativePath([wide])
        _ = create(.directory, at: directory, &edge, side, &random)
        for number in 0..<files {
            guard let name = EntryName("\(number)") else { continue }
            _ = create(.file, at: directory.appending(name), &edge, side, &random)
        }
    }

    /// Makes a directory with files and another directory in it; the paths of what was made.
    private mutating func plant(
        _ top: RelativePath, _ edge: inout SimulatedEdge, _ side: Side, _ random: inout SeededRandom
    ) -> [RelativePath] {
        var made = create(.directory, at: top, &edge, side, &random)
        if made.isEmpty { return [] }
        for (number, name) in Self.names.prefix(2 + random.below(4)).enumerated() {
            let path = top.appending(name)
            made += create(number == 0 ? .directory : .file, at: path, &edge, side, &random)
            if number == 0 { made += create(.file, at: path.appending(name), &edge, side, &random) }
        }
        return made
    }

    private func beginChange(_ edge: inout SimulatedEdge, _ side: Side) {
        if isVolatile { edge[side].beginVolatileChange(byPerson: true) } else { edge[side].beginDurableChange() }
    }

    private mutating func note(_ before: SimulatedEdge, _ now: SimulatedEdge, _ owned: Set<Int>, on side: Side) {
        recent[Int(side.rawValue)].disowned.formUnion(owned.subtracting(self.owned))
        for side in Side.allCases {
            let (old, new) = (before[side].numbers, now[side].numbers)
            recent[Int(side.rawValue)].dropped.formUnion(old.subtracting(new))
            let hidden = syncedNumbers(before[side]).subtracting(syncedNumbers(now[side]))
            recent[Int(side.rawValue)].hidden.formUnion(hidden.intersection(new))
            recent[Int(side.rawValue)].written.formUnion(new.subtracting(old))
        }
    }

    /// Everything that they did is on the disks for good.
    mutating func writtenBack() {
        recent = [Recent(), Recent()]
        endangered = []
    }

    /// The machine stopped, and this is left on a side.
    ///
    /// - Parameter before: What was there just before.
    mutating func crash(_ side: Side, leaving disk: SimulatedDisk, before: Set<Int>) {
        let numbers = disk.numbers
        ledger.crash(side, leaving: numbers, before: before)
        guard isVolatile else { return }
        // What was overwritten or deleted there and is there again is theirs again, unless it was on the other side too.
        let (here, there) = (Int(side.rawValue), Int(side.other.rawValue))
        let again = recent[here].dropped.intersection(numbers)
        ledger.regain(again.union(recent[here].hidden.intersection(syncedNumbers(disk))))
        let files = Set(disk.numbers(from: SimulatedDisk.root, only: .file))
        owned.formUnion(recent[here].disowned.intersection(files).subtracting(recent[there].dropped))
    }

    /// The machine stopped: what they wrote just before and is nowhere any more is lost by that.
    mutating func forgive(allBut present: Set<Int>) {
        let lost = owned.subtracting(present)
        owned.subtract(lost.intersection(endangered))
        endangered = []
        guard isVolatile else { return }
        owned.subtract(lost.intersection(recent[0].written.union(recent[1].written)))
        writtenBack()
    }

    /// Other names are not synced from now on. What was moved to one of them is gone for the other side if that did not
    /// follow yet.
    mutating func setExcludes(_ patterns: ExcludePatterns, _ edge: SimulatedEdge) {
        excludes = patterns
        for side in Side.allCases {
            let hidden = edge[side].walk().filter { isExcluded($0.path, edge[side]) }
            let inodes = hidden.compactMap { edge[side].state.inodes[$0.inode] }
            let numbers = edge[side].numbers.subtracting(syncedNumbers(edge[side]))
            // Where the remote has the only contents, nothing is deleted there that was moved to such a name here.
            if inodes.contains(where: { $0.residence == .remoteAlone }) {
                ledger.regain(numbers)
            } else {
                ledger.hide(numbers, on: side)
            }
        }
    }

    /// Puts everything that is on this computer on the remote as well.
    mutating func copyAll(_ edge: inout SimulatedEdge) {
        for (path, number) in edge[.local].walk() {
            guard let inode = edge[.local].state.inodes[number], inode.kind != .symlink else { continue }
            edge[.remote].beginDurableChange()
            _ = make(inode.kind, inode.content, at: path, permissions: inode.permissions, &edge, .remote)
        }
    }

    /// A person puts back what was deleted on a side: what of it the other side holds, files among it, is theirs again.
    mutating func decline(deletionsOn side: Side, holding left: [Int], files: Set<Int>, besides present: Set<Int>) {
        owned.formUnion(ledger.decline(deletionsOn: side, holding: left, files: files, besides: present))
    }

    /// Something that no user did destroyed all that is not among these.
    /// What of that is not durable may be lost too, should the machine stop.
    mutating func lose(allBut present: Set<Int>, durable: Set<Int>) {
        owned.formIntersection(present)
        endangered.formUnion(owned.subtracting(durable))
    }

    private mutating func newNumber() -> Int {
        lastContent += 1
        return lastContent
    }

    /// Many contents have the same size, so that size alone tells little.
    private func size(of content: Int) -> Int64 { Int64(content % 3) * 10 }

    private mutating func create(
        _ kind: EntryKind, at path: RelativePath, _ edge: inout SimulatedEdge, _ side: Side,
        _ random: inout SeededRandom
    ) -> [RelativePath] {
        let number = kind == .symlink ? 0 : newNumber()
        return make(kind, number, at: path, permissions: permissions(kind, &random), &edge, side) ? [path] : []
    }

    private mutating func make(
        _ kind: EntryKind, _ number: Int, at path: RelativePath, permissions: Permissions,
        _ edge: inout SimulatedEdge, _ side: Side
    ) -> Bool {
        let made = edge[side].create(
            kind, content: number, size: kind == .file ? size(of: number) : 0, at: path, permissions: permissions,
            now: edge.now)
        guard let made, let parent = edge[side].inode(at: path.parent), let name = path.name else { return false }
        if kind == .file { owned.insert(number) }
        if let old = edge[side].state.inodes[made]?.predecessor {
            ledger.takeOver(number, from: old)
            // It looks as if that one had been moved there.
            if edge[side.other].mount != nil { ledger.cross([number, old]) }
        }
        if kind != .symlink { ledger.make(number, named: name, in: parent, on: side) }
        return true
    }

    /// A file gets a second name, which a mounted folder gives to no placeholder.
    private mutating func link(
        _ file: Int?, as path: RelativePath, _ edge: inout SimulatedEdge, _ side: Side
    ) -> [RelativePath] {
        guard let file, let inode = edge[side].state.inodes[file], inode.residence == .here, let name = path.name,
            let parent = edge[side].inode(at: path.parent), edge[side].link(file, to: path, now: edge.now)
        else { return [] }
        let content = inode.content
        // The name that it had may be taken for moved to the one that it gets, whichever of the others it has by now.
        let isIntoMount = [edge[side].path(of: file), path].map { $0?.names.first == SimulatedMount.name }
        if edge[side.other].mount != nil && isIntoMount[0] != isIntoMount[1] { ledger.cross([content]) }
        ledger.arrive(content, as: name, in: parent, on: side)
        ledger.gainName(content, on: side, isSynced: !isExcluded(path, edge[side]))
        return [path]
    }

    private mutating func overwrite(_ file: Int?, _ edge: inout SimulatedEdge, _ side: Side) -> [RelativePath] {
        guard let file, let path = edge[side].path(of: file), let old = edge[side].state.inodes[file]?.content
        else { return [] }
        let content = newNumber()
        owned.remove(old)
        owned.insert(content)
        edge[side].overwrite(file, content: content, size: size(of: content), now: edge.now)
        ledger.write(content, over: old, on: side)
        ledger.write(content, underNames: syncedNames(edge[side]).count { $0 == content })
        noteChange(of: file, at: path, edge[side])
        return [path]
    }

    /// Saves a file as many programs do: a new one takes its name.
    private mutating func saveAnew(
        _ path: RelativePath?, _ edge: inout SimulatedEdge, _ side: Side
    ) -> [RelativePath] {
        guard let path, let number = edge[side].inode(at: path), let old = edge[side].state.inodes[number] else {
            return []
        }
        // As for ``exchange(_:_:_:_:)``: the new one would be an item of that name to one client, and none to the others.
        if path.name.map(Self.isAside) == true { return [] }
        let content = newNumber()
        let before = linked(number, edge[side])
        leave(path, edge[side], side)
        owned.remove(old.content)
        edge[side].remove(path)
        delete([old.content], edge[side], side)
        keepOtherNames(of: before, edge[side], side)
        guard make(.file, content, at: path, permissions: old.permissions, &edge, side) else { return [path] }
        ledger.write(content, over: old.content, on: side)
        return [path]
    }

    /// The same contents appear at the same place on both sides.
    private mutating func bothCreate(
        _ path: RelativePath, _ edge: inout SimulatedEdge, _ random: inout SeededRandom
    ) -> [RelativePath] {
        if Side.allCases.contains(where: { edge.isHidden(path, on: $0) }) { return [] }
        let content = newNumber()
        onBothSides = true
        for side in Side.allCases { beginChange(&edge, side) }
        for side in Side.allCases {
            _ = make(.file, content, at: path, permissions: permissions(.file, &random), &edge, side)
        }
        return [path]
    }

    private func permissions(_ kind: EntryKind, _ random: inout SeededRandom) -> Permissions {
        let modes = kind == .file ? [0o644, 0o600, 0o755, 0o400, 0o666, 0o700] : [0o755, 0o700, 0o777, 0o555, 0o750]
        return Permissions(random.pick(modes) ?? 0o600)
    }

    private mutating func setPermissions(
        _ path: RelativePath?, _ edge: inout SimulatedEdge, _ side: Side, _ random: inout SeededRandom
    ) -> [RelativePath] {
        guard let path, let number = edge[side].inode(at: path), let kind = edge[side].state.inodes[number]?.kind
        else { return [] }
        edge[side].setPermissions(permissions(kind, &random), of: number, now: edge.now)
        if let content = edge[side].state.inodes[number]?.content {
            ledger.touch(content, on: side)
            ledger.blur(content, on: side)
        }
        noteChange(of: number, at: path, edge[side])
        return [path]
    }

    /// A file was changed under one of its names.
    private mutating func noteChange(of file: Int, at path: RelativePath, _ disk: SimulatedDisk) {
        guard let inode = disk.state.inodes[file], inode.isLinked else { return }
        changedUnderAll.insert(inode.content)
        if isExcluded(path.parent, disk) { isUntold = true }
    }

    private mutating func move(
        _ from: RelativePath?, to: RelativePath, _ edge: inout SimulatedEdge, _ side: Side, replacing: Bool
    ) -> [RelativePath] {
        // What goes to another file system is copied there and deleted here: nobody does that.
        guard let from, let old = edge[side].inode(at: from.parent), let new = edge[side].inode(at: to.parent),
            edge[side].isOnOneFileSystem(old, new), mayMove(from, to: to, edge[side])
        else { return [] }
        if replacing, let old = edge[side].inode(at: to), let moving = edge[side].inode(at: from), old != moving,
            let replaced = edge[side].state.inodes[old], let mover = edge[side].state.inodes[moving],
            replaced.kind == .file, mover.kind == .file
        {
            let before = linked(old, edge[side])
            lose(old, edge[side], side)
            ledger.takeOver(mover.content, from: replaced.content)
            edge[side].remove(to)
            keepOtherNames(of: before, edge[side], side)
        }
        guard rename(from, to: to, &edge, side), let number = edge[side].inode(at: to) else { return [] }
        return [from, to] + (movedBefore.insert(number).inserted ? [] : below([to], edge[side]))
    }

    /// What is in these directories. A watcher tells of it when one was moved before: what it told by the former path is
    /// not to be found there.
    private func below(_ directories: [RelativePath], _ disk: SimulatedDisk) -> [RelativePath] {
        disk.walk().map(\.path).filter { path in
            directories.contains { path.names.count > $0.names.count && path.names.starts(with: $0.names) }
        }
    }

    private mutating func rename(
        _ from: RelativePath, to: RelativePath, _ edge: inout SimulatedEdge, _ side: Side
    ) -> Bool {
        guard mayMove(from, to: to, edge[side]), let number = edge[side].inode(at: from),
            let inode = edge[side].state.inodes[number]
        else { return false }
        let content = inode.content
        let before = edge[side]
        guard edge[side].rename(from, to: to, now: edge.now) else { return false }
        if inode.kind == .directory { hasMovedDirectory = true } else { ledger.blur(content, on: side) }
        leave(from, before, side)
        let isIntoMount = [from, to].map { $0.names.first == SimulatedMount.name }
        let below = before.numbers(from: number)
        if edge[side.other].mount != nil && isIntoMount[0] != isIntoMount[1] {
            ledger.cross(below, hasUnknown: before.numbers(from: number, only: .directory).contains(0))
        }
        let wasExcluded = excludedNumbers(from, before)
        ledger.move(content, with: below, isDirectory: inode.kind == .directory, on: side)
        let isExcluded = excludedNumbers(to, edge[side])
        if let name = to.name, let parent = edge[side].inode(at: to.parent) {
            let old = ledger.arrive(content, as: name, in: parent, on: side)
            // That it was here before is not known: all that is in it is new, and stands at the places of what was in the
            // one that went.
            if inode.kind == .directory, wasExcluded.contains(content), !isExcluded.contains(content), let old {
                takePlaces(of: old, number, edge[side])
            }
        }
        delete(Array(isExcluded), edge[side], side)
        if inode.kind == .directory && side == .local && !isExcluded.isEmpty { ledger.hideDirectory(isExcluded) }
        keepOtherNames(of: links ? isExcluded.sorted().map { ($0, false) } : [], edge[side], side)
        ledger.undelete(below.filter { !isExcluded.contains($0) }, on: side)
        ledger.appear(wasExcluded.filter { !isExcluded.contains($0) }.sorted())
        return true
    }

    /// What is in a directory stands where what was in another one stood.
    private mutating func takePlaces(of old: Int, _ directory: Int, _ disk: SimulatedDisk) {
        let former = disk.state.inodes.first { $0.value.content == old && $0.value.kind == .directory }?.key
        guard let above = former.flatMap({ disk.path(of: $0) }), let new = disk.path(of: directory) else { return }
        for (path, number) in disk.walk() where path.names.starts(with: new.names) && path != new {
            let place = RelativePath(above.names + path.names.dropFirst(new.names.count))
            guard let ousted = disk.inode(at: place).flatMap({ disk.state.inodes[$0]?.content }),
                let content = disk.state.inodes[number]?.content
            else { continue }
            ledger.oust(ousted, for: content)
        }
    }

    /// What is not synced of an item and all below it.
    private func excludedNumbers(_ path: RelativePath, _ disk: SimulatedDisk) -> Set<Int> {
        let found = disk.walk().filter { $0.path.names.starts(with: path.names) && isExcluded($0.path, disk) }
        return Set(found.compactMap { disk.state.inodes[$0.inode]?.content })
    }

    /// The numbers of all that is to be synced.
    private func syncedNumbers(_ disk: SimulatedDisk) -> Set<Int> {
        Set(disk.walk().filter { !isExcluded($0.path, disk) }.compactMap { disk.state.inodes[$0.inode]?.content })
    }

    /// Whether a side lets an item have a name: no placeholder gets one that is not synced.
    private func mayMove(_ from: RelativePath, to: RelativePath, _ disk: SimulatedDisk) -> Bool {
        guard let number = disk.inode(at: from), let kind = disk.state.inodes[number]?.kind,
            disk.subtree(number).values.contains(where: { $0.residence == .remoteAlone })
        else { return true }
        return !isExcluded(to.parent, disk) && !excludes.excludes(to, kind: kind)
    }

    private func isExcluded(_ path: RelativePath, _ disk: SimulatedDisk) -> Bool {
        path.names.indices.contains { index in
            let above = RelativePath(Array(path.names.prefix(index + 1)))
            guard let kind = disk.inode(at: above).flatMap({ disk.state.inodes[$0]?.kind }) else { return false }
            return excludes.excludes(above, kind: kind)
        }
    }

    private static func isAside(_ name: EntryName) -> Bool { name.bytes.starts(with: Array(".roundel-move-".utf8)) }

    /// Two entries exchange their names.
    private mutating func exchange(
        _ all: [(path: RelativePath, inode: Int)], _ edge: inout SimulatedEdge, _ side: Side,
        _ random: inout SeededRandom
    ) -> [RelativePath] {
        guard let first = random.pick(all)?.path, let second = random.pick(all)?.path, first != second,
            let aside = EntryName("aside")
        else { return [] }
        let between = RelativePath([aside])
        if edge[side].inode(at: between) != nil { return [] }
        // Nobody gives another item the name of one that stands aside: to other clients that would look like an exchange
        // which is under way for ever.
        if [first, second].contains(where: { $0.name.map(Self.isAside) == true }) { return [] }
        if !mayMove(first, to: second, edge[side]) || !mayMove(second, to: first, edge[side]) { return [] }
        var told: [RelativePath] = []
        for (from, to) in [(first, between), (second, first), (between, second)] {
            beginChange(&edge, side)
            if rename(from, to: to, &edge, side) { told += [from, to] }
        }
        return told + below(told, edge[side])
    }

    private mutating func remove(
        _ path: RelativePath?, _ edge: inout SimulatedEdge, _ side: Side
    ) -> [RelativePath] {
        guard let path, let number = edge[side].inode(at: path) else { return [] }
        let before = linked(number, edge[side])
        lose(number, edge[side], side)
        leave(path, edge[side], side)
        // Directories that both sides hold at one place may be one item by now.
        if let twin = edge[side.other].inode(at: path) {
            delete(edge[side.other].numbers(from: twin, only: .directory), edge[side], side)
        }
        edge[side].remove(path)
        keepOtherNames(of: before, edge[side], side)
        return [path]
    }

    /// The contents of files at or below an inode, which may stand under other names as well, and whether they are
    /// theirs.
    private func linked(_ number: Int, _ disk: SimulatedDisk) -> [(content: Int, isOwned: Bool)] {
        if !links { return [] }
        let files = disk.subtree(number).values.filter { $0.kind == .file }.map(\.content)
        return files.sorted().map { ($0, owned.contains($0)) }
    }

    /// What was deleted under one name stands under another one.
    private mutating func keepOtherNames(
        of deleted: [(content: Int, isOwned: Bool)], _ disk: SimulatedDisk, _ side: Side
    ) {
        if deleted.isEmpty { return }
        // What is in a file system that is not mounted is there as well.
        let reached = Set(disk.walk().map(\.inode))
        let left = disk.state.inodes.filter { !reached.contains($0.key) }.map(\.value.content) + syncedNames(disk)
        for (content, isOwned) in deleted where left.contains(content) {
            if isOwned { owned.insert(content) }
            if ledger.loseName(content, on: side) && changedUnderAll.contains(content) { isUntold = true }
        }
    }

    /// The contents of the files of a disk that are to be synced, once for each name.
    private func syncedNames(_ disk: SimulatedDisk) -> [Int] {
        disk.walk().filter { !isExcluded($0.path, disk) }.compactMap { disk.state.inodes[$0.inode] }
            .filter { $0.kind == .file }.map(\.content)
    }

    /// Deletes everything that is in the directory of which most is in.
    private mutating func sweep(
        _ all: [RelativePath], _ edge: inout SimulatedEdge, _ side: Side
    ) -> [RelativePath] {
        let sizes = Dictionary(grouping: all, by: \.parent).mapValues(\.count)
        let fullest = sizes.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key
        var swept: [RelativePath] = []
        for path in all where path.parent == fullest {
            beginChange(&edge, side)
            swept += remove(path, &edge, side)
        }
        return swept
    }

    private mutating func leave(_ path: RelativePath, _ disk: SimulatedDisk, _ side: Side) {
        guard let name = path.name, let parent = disk.inode(at: path.parent),
            let content = disk.inode(at: path).flatMap({ disk.state.inodes[$0]?.content })
        else { return }
        ledger.leave(name, in: parent, content, on: side)
    }

    /// The user destroys what is in a file or below a directory. Of a file that is also what it was written over, which
    /// the other side may hold again as the machine stopped: the item is deleted there, whichever version it has.
    private mutating func lose(_ number: Int, _ disk: SimulatedDisk, _ side: Side) {
        let numbers = disk.numbers(from: number)
        for number in numbers { owned.subtract(ledger.versions(upTo: number)) }
        delete(numbers, disk, side)
    }

    private mutating func delete(_ numbers: [Int], _ disk: SimulatedDisk, _ side: Side) {
        // What is in a file system that is not mounted is there as well.
        let left = Set(disk.state.inodes.values.map(\.content)).subtracting(numbers)
        ledger.delete(numbers, on: side, leaving: left)
    }
}
