import SyncCore

/// Every change that the session makes is held against what people did.
extension SimulatedHistory {
    /// Judges an effect that was carried out, from what stood there before and what stands there now.
    mutating func judge(_ effect: Effect, _ result: EffectResult, before: SimulatedEdge) throws {
        if case .failed = result { return user.ledger.disturb() }
        let objection = objection(to: effect, before: before)
        if let objection { throw violation("\(objection): \(effect)") }
        let footprint = effect.footprint
        for spot in footprint.spots where spot.touch == .make(.directory) || spot.touch == .replace(with: .directory) {
            follow(spot.path, on: spot.side)
        }
        guard let side = footprint.side else { return }
        let changed = footprint.changedPaths.compactMap { edge[side].inode(at: $0) }
        for inode in changed.compactMap({ edge[side].state.inodes[$0] }) {
            if footprint.has(.describe) { user.ledger.free(inode.content) }
            inode.predecessor.map { user.ledger.takeOver(inode.content, from: $0) }
            if side == .remote && footprint.has(.setPermissions) { user.ledger.noteOwnPermissions(of: inode.content) }
            if inode.residence == .remoteAlone || footprint.has(.fill) {
                user.ledger.describe(inode.content, as: inode.residence)
            }
        }
    }

    private mutating func objection(to effect: Effect, before: SimulatedEdge) -> String? {
        func number(_ side: Side, _ path: RelativePath) -> Int? {
            before[side].inode(at: path).flatMap { before[side].state.inodes[$0]?.content }
        }
        switch effect {
        case .within(_, let effect), .opening(_, let effect): return objection(to: effect, before: before)
        case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .syncContents, .syncRenames, .discard:
            return nil
        case .fill(let path, let stage, _):
            guard let new = before.staged[stage]?.content, let old = number(.local, path), old != new else {
                return nil
            }
            return user.ledger.objectionToReplacing(old, with: new, on: .local, isNeeded: false)
        case .free(let path, _, let there, _):
            guard let content = number(.local, path), user.owned.contains(content) else { return nil }
            return number(.remote, there) == content ? nil : "\(content) was freed, which the remote does not hold"
        case .describe(let path, _, _, _):
            guard let new = edge[.local].inode(at: path).flatMap({ edge[.local].state.inodes[$0]?.content }) else {
                return nil
            }
            let old = number(.local, path)
            if old == new { return nil }
            // The contents of the placeholder are nowhere, so that it is worth less than what the remote has at its place.
            if let old, !before.allNumbers(on: .remote).contains(old) { user.ledger.regain([new]) }
            return user.ledger.objectionToChange(on: .local)
                ?? old.flatMap {
                    user.ledger.objectionToReplacing($0, with: new, on: .local, isNeeded: false)
                } ?? user.ledger.objectionToBringing(new, to: .local)
        case .stage(_, let side, let path, _):
            guard let content = number(side, path) else { return nil }
            let others = { [self] in syncedFiles(on: side.other, isHere: true) }
            return user.ledger.transfer(content, to: side.other) { others().contains(content) }
        case .publish(let stage, let side, let path, let expected, _):
            guard let new = before.staged[stage]?.content else { return nil }
            var objections = [user.ledger.objectionToChange(on: side)]
            if expected != nil, let old = number(side, path) {
                let copies = Side.allCases.flatMap { before.allNumbers(on: $0) }.count { $0 == old }
                let isNeeded = user.owned.contains(old) && copies < 2
                objections.append(user.ledger.objectionToReplacing(old, with: new, on: side, isNeeded: isNeeded))
            }
            objections.append(user.ledger.objectionToBringing(new, to: side))
            return objections.compactMap(\.self).first
        case .makeDirectory(let side, let path, _), .setPermissions(let side, let path, .directory, _, _):
            // What is not synced keeps its directory, and so does the other side.
            if holdsUnsynced(path, before[side.other]) { return nil }
            return user.ledger.objectionToChange(on: side)
        case .move(let side, let path, _, let kind, _):
            let moved = kind == .file ? number(side, path) : nil
            return user.ledger.objectionToChange(on: side)
                ?? moved.flatMap { user.ledger.objectionToMoving($0, on: side) }
        case .setPermissions(let side, let path, _, _, _):
            // Where it is set for one name of a file it is for all, also where the next version of one takes it over.
            if let number = number(side, path), user.ledger.isMultiple(number) { return nil }
            return user.ledger.objectionToChange(on: side)
        case .displace(let item, _, .directory, _) where holdsUnsynced(item.path, before[.remote]):
            // As above, also where a file was put in the place of that directory: one name cannot hold both.
            return nil
        case .displace(let item, _, let newcomer, _):
            return user.ledger.objectionToChange(on: .local)
                ?? objectionToConflict(item, newcomer, before)
        case .replaceLocal, .discardLocal:
            return user.ledger.hasChosen ? nil : "nobody decided a conflict"
        case .remove(let side, let path, let kind, _):
            return objectionToRemoving(path, isDirectory: kind == .directory, from: side, before)
        case .removeTree(let path, _, _):
            return before[.remote].walk().filter { $0.path.names.starts(with: path.names) }.lazy.compactMap { [self] in
                let isDirectory = before[.remote].state.inodes[$0.inode]?.kind == .directory
                return objectionToRemoving($0.path, isDirectory: isDirectory, from: .remote, before)
            }.first
        }
    }

    private func objectionToRemoving(
        _ path: RelativePath, isDirectory: Bool, from side: Side, _ before: SimulatedEdge
    ) -> String? {
        func number(_ path: RelativePath) -> Int? {
            before[side].inode(at: path).flatMap { before[side].state.inodes[$0]?.content }
        }
        guard let removed = number(path) else { return nil }
        let directories = path.names.indices.dropFirst().compactMap { depth in
            number(RelativePath(Array(path.names.prefix(depth))))
        }
        return user.ledger.objectionToChange(on: side)
            ?? user.ledger.objectionToRemoving(
                removed, isDirectory: isDirectory, from: side, in: Set(directories),
                others: before.allNumbers(on: side.other))
    }

    private func holdsUnsynced(_ directory: RelativePath, _ disk: SimulatedDisk) -> Bool {
        disk.walk().contains { path, _ in
            path.names.count > directory.names.count && path.names.starts(with: directory.names) && isApart(path)
        }
    }

    private func objectionToConflict(
        _ item: LocalItem, _ newcomer: Newcomer, _ before: SimulatedEdge
    ) -> String? {
        func content(_ path: RelativePath) -> Int? {
            guard let number = before[.local].inode(at: path) else { return nil }
            return before[.local].state.inodes[number]?.content
        }
        guard item.kind == .file, let loser = content(item.path) else { return nil }
        switch newcomer {
        case .directory: return nil
        case .item(let other):
            guard other.kind == .file else { return nil }
            return content(other.path).flatMap { user.ledger.objectionToConflict(of: loser, with: $0, isOfNames: true) }
        case .staged(let stage):
            guard let winner = before.staged[stage]?.content else { return nil }
            return user.ledger.objectionToConflict(of: loser, with: winner)
                ?? user.ledger.objectionToBringing(winner, to: .local)
        }
    }

    /// A directory that the session made is the one that the other side holds there.
    private mutating func follow(_ path: RelativePath, on side: Side) {
        let (here, there) = (edge[side], edge[side.other])
        // A person may have put something else there by now.
        guard let made = here.inode(at: path), here.state.inodes[made]?.kind == .directory, let name = path.name,
            let parent = here.inode(at: path.parent),
            let directory = here.state.inodes[parent]?.content
        else { return }
        let twins = there.state.inodes.filter { $0.value.kind == .directory && $0.value.content == directory }
        let origins = twins.values.compactMap { $0.children[name] }.compactMap { there.state.inodes[$0] }
        guard parent == SimulatedDisk.root || directory != 0, origins.count == 1, origins[0].kind == .directory else {
            return
        }
        edge[side].setOrigin(origins[0].content, of: made)
    }

    /// The remote was put back: whatever is not there any more was deleted, whatever is there is meant.
    mutating func noteRestored(from before: SimulatedDisk) {
        let now = edge[.remote]
        // Whatever is there again is another item, though it may look the same.
        let lost = Set(before.numbers(from: SimulatedDisk.root))
        var replaced: [(new: Int, old: Int)] = []
        for (path, number) in now.walk() {
            guard let new = now.state.inodes[number]?.content,
                let old = before.inode(at: path).flatMap({ before.state.inodes[$0]?.content }), old != new
            else { continue }
            replaced.append((new, old))
        }
        user.ledger.putBack(.remote, lost: lost, replaced: replaced)
    }

    // MARK: Rest

    /// What people deleted is gone on both sides.
    func checkOutcome() throws {
        // Something stands in the way of what has to be done first.
        if try !store.trees.nodes(inState: .error, after: .none, limit: 1).isEmpty { return }
        for side in Side.allCases {
            let numbers = syncedFiles(on: side)
            if let objection = user.ledger.objectionToState(numbers, of: side) { throw violation(objection) }
        }
    }

    /// All is at rest: what both sides hold at one place is one item from now on.
    mutating func agree() throws {
        hasStepped = false
        declines = nil
        for side in Side.allCases { edge[side].writeBack() }
        user.writtenBack()
        var shared: Set<Int> = []
        for (path, number) in edge[.local].walk() {
            guard let here = edge[.local].state.inodes[number], let twin = edge[.remote].inode(at: path),
                let there = edge[.remote].state.inodes[twin], here.kind == there.kind
            else { continue }
            if here.kind == .directory { edge[.remote].setOrigin(here.content, of: twin) }
            // What waits for a person may differ.
            if here.kind == .directory || here.content == there.content { shared.insert(here.content) }
        }
        // What is excluded is equal by chance, if at all.
        let synced = syncedFiles(on: .local).intersection(syncedFiles(on: .remote))
        shared.subtract(Set(edge[.local].numbers(from: SimulatedDisk.root, only: .file)).subtracting(synced))
        let numbers = Side.allCases.map { edge[$0].numbers(from: SimulatedDisk.root).sorted() }
        let several = numbers.flatMap { list in zip(list, list.dropFirst()).filter { $0 == $1 }.map(\.0) }
        // What is in the way of something may go at any time.
        let waits = try !store.trees.nodes(inState: .error, after: .none, limit: 1).isEmpty
        user.ledger.rest(here: syncedFiles(on: .local, isHere: true))
        user.ledger.agree(
            on: shared, besides: Set(numbers.joined()).subtracting(shared), several: Set(several),
            isWhole: numbers[0] == numbers[1] && !waits)
    }
}
