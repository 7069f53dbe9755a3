import SyncCore

/// Effects step by step, as an endpoint on a disk makes them.
extension SimulatedEdge {
    /// Makes the next step; nil while there are more.
    mutating func advance(_ stepped: inout SteppedEffect) -> EffectResult? {
        let (effect, footprint) = (stepped.effect, stepped.effect.footprint)
        if let side = footprint.side, !isThere(side) { return absent(effect) }
        if !stepped.hasActed, let refused = refusal(of: effect) ?? mountedThere(footprint) { return refused }
        let isChecked = stepped.step == 0 || !footprint.isChange
        if isChecked, !stepped.points.allSatisfy({ isMounted($0) }) { return .failed(EffectFailure(.notMounted)) }
        defer { stepped.step += 1 }
        if isChecked, let refused = forbidden(footprint) { return refused }
        let result = makeStep(&stepped, effect)
        if footprint.isChange, let result {
            if case .failed = result { return result }
            mutations += 1
        }
        return result
    }

    private mutating func makeStep(_ stepped: inout SteppedEffect, _ effect: Effect) -> EffectResult? {
        switch effect {
        case .opening(_, let inner): return makeStep(&stepped, inner)
        case .publish(let stage, let side, let path, let expected, let permissions):
            return publish(&stepped, stage, side, path, expected, permissions)
        case .makeDirectory(let side, let path, let permissions):
            return makeDirectory(&stepped, side, path, permissions)
        case .move(let side, let from, let to, let kind, let expected):
            return move(&stepped, side, from, to, kind, expected)
        case .setPermissions(let side, let path, let kind, let expected, let permissions):
            return setPermissions(&stepped, side, path, kind, expected, permissions)
        case .remove(let side, let path, let kind, let expected):
            return remove(&stepped, side, path, kind, expected)
        case .removeTree(let path, let expected, let tag):
            return removeTree(&stepped, path, expected, tag)
        case .discardLocal(let item):
            return remove(&stepped, .local, item.path, item.kind, item.expected, isWhole: true)
        case .displace(let item, let aside, .item(let other), _):
            if item.path.isNested(with: other.path) { return act(effect) }
            return displace(&stepped, item, aside, by: other)
        case .displace(let item, let aside, let newcomer, let permissions):
            return displace(&stepped, item, aside, newcomer, permissions)
        case .replaceLocal(let from, let to):
            if from.path.isNested(with: to.path) { return act(effect) }
            return replace(&stepped, to, with: from)
        case .stage(let stage, let side, let path, let expected):
            return stageFile(&stepped, stage, side, path, expected)
        case .hashFile(let side, let path, let expected):
            return hash(&stepped, side, path, expected)
        case .listDirectory(let side, let path, let part):
            return list(&stepped, side, path, part)
        case .fill(let path, let stage, let expected):
            return underLock(&stepped, path) { .fill($0, with: stage, expected: expected) }
        case .free(let path, let expected, let there, let version):
            return underLock(&stepped, path) { .free($0, expected: expected, ifRemote: there, has: version) }
        case .describe(let path, let source, let expected, let permissions):
            return underLock(&stepped, path) { .describe($0, source, expected: expected, permissions: permissions) }
        case .probeRoots, .markRoot, .checkEntry, .syncContents, .syncRenames, .discard, .within:
            return carryOut(effect)
        }
    }

    /// Finds the directory, in which an item is then looked at and changed at once, wherever that directory is by then.
    private mutating func underLock(
        _ stepped: inout SteppedEffect, _ path: RelativePath, _ effect: (RelativePath) -> Effect
    ) -> EffectResult? {
        if stepped.step == 0 {
            stepped.spot = spot(.local, path)
            return stepped.spot == nil ? gone : nil
        }
        guard let spot = stepped.spot, let place = self.path(of: spot) else { return gone }
        let result = act(effect(place))
        if case .wrote = result { stepped.hasActed = true }
        return result
    }

    // MARK: Places

    func spot(_ side: Side, _ path: RelativePath) -> SteppedEffect.Spot? {
        guard let name = path.name, let directory = self[side].inode(at: path.parent),
            self[side].state.inodes[directory]?.kind == .directory
        else { return nil }
        return SteppedEffect.Spot(side: side, directory: directory, name: name)
    }

    private func number(at spot: SteppedEffect.Spot) -> Int? {
        self[spot.side].state.inodes[spot.directory]?.children[spot.name]
    }

    /// Where the name is by now; nil if its directory is gone.
    func path(of spot: SteppedEffect.Spot) -> RelativePath? {
        if spot.directory == SimulatedDisk.root { return RelativePath([spot.name]) }
        return self[spot.side].path(of: spot.directory)?.appending(spot.name)
    }

    /// Looks for the first time; a failure if it is not what is expected.
    private func look(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ expected: Version, _ kind: EntryKind
    ) -> EffectResult? {
        guard let number = find(side, path, expected, kind), let inode = self[side].state.inodes[number] else {
            return failure(side, path)
        }
        (stepped.spot, stepped.seen, stepped.seenInode) = (spot(side, path), number, inode)
        return nil
    }

    /// Whether what stands somewhere now is what was seen before, as far as anybody can tell after a renaming.
    private func isSame(_ now: Int?, on side: Side, as number: Int?, _ before: SimulatedDisk.Inode?) -> Bool {
        guard let now, now == number, let inode = self[side].state.inodes[now] else { return false }
        return inode.looks(like: before)
    }

    private var gone: EffectResult { .failed(EffectFailure(.notFound, "gone")) }

    // MARK: Taking away and bringing back

    /// Takes what stands at a name, whatever that is, into the trash or the store of replaced versions.
    private mutating func take(_ spot: SteppedEffect.Spot) -> SteppedEffect.Taken? {
        guard let path = path(of: spot), let number = number(at: spot) else { return nil }
        let inodes = self[spot.side].subtree(number)
        self[spot.side].remove(path, .kept)
        return SteppedEffect.Taken(number: number, inodes: inodes)
    }

    /// Brings back what was taken; what stands there meanwhile is kept instead, unless the effect made it.
    private mutating func bringBack(_ stepped: SteppedEffect) {
        guard let spot = stepped.spot, let taken = stepped.taken, let path = path(of: spot) else { return }
        let here = number(at: spot)
        // Names are exchanged, for which both have to be there.
        if here == nil && stepped.made != nil { return }
        if here != nil && stepped.made == nil { return }
        self[spot.side].beginVolatileChange()
        if let here { self[spot.side].remove(path, isUnwritten(here, stepped, spot.side) ? .whole : .kept) }
        self[spot.side].putBack(taken, in: spot.directory, as: spot.name, now: now)
    }

    /// Whether the effect made it and nobody wrote it since.
    private func isUnwritten(_ here: Int, _ stepped: SteppedEffect, _ side: Side) -> Bool {
        here == stepped.made && self[side].state.inodes[here]?.looks(like: stepped.madeInode) == true
    }

    /// A remote keeps nothing that was synced.
    private mutating func forget(_ taken: SteppedEffect.Taken, on side: Side) {
        if side == .remote { self[side].forgetKept(taken.inodes.values.filter { $0.kind == .file }.map(\.content)) }
    }

    private func version(ofMade stepped: SteppedEffect, _ side: Side) -> EffectResult {
        guard let spot = stepped.spot, let made = stepped.made, number(at: spot) == made,
            self[side].state.inodes[made]?.looks(like: stepped.madeInode) == true
        else {
            return stepped.madeVersion.map { .wrote($0) } ?? gone
        }
        var version = self[side].version(of: made, now: now)
        version.permissions = stepped.madeVersion?.permissions
        return .wrote(version)
    }

    /// Something was put in a place: it is told as it is now unless somebody touches it before that is looked at again.
    private func noteMade(_ number: Int, by stepped: inout SteppedEffect) {
        stepped.made = number
        stepped.madeVersion = self[.local].version(of: number, now: now)
        stepped.madeInode = self[.local].state.inodes[number]
    }

    /// The same for what was set beside its place.
    private func noteAside(_ number: Int, by stepped: inout SteppedEffect) {
        stepped.asideVersion = self[.local].version(of: number, now: now)
        stepped.asideInode = self[.local].state.inodes[number]
    }

    private func version(ofAside number: Int, _ stepped: SteppedEffect) -> Version {
        let (present, known) = (self[.local].version(of: number, now: now), stepped.asideVersion)
        let isUntouched = self[.local].state.inodes[number]?.looks(like: stepped.asideInode) == true
        return isUntouched && present.permissions == known?.permissions ? present : known ?? present
    }

    // MARK: Placing

    private mutating func publish(
        _ stepped: inout SteppedEffect, _ stage: StageID, _ side: Side, _ path: RelativePath, _ expected: Version?,
        _ wanted: Permissions?
    ) -> EffectResult? {
        guard let file = staged[stage] else { return .failed(EffectFailure(.io, "not staged")) }
        switch stepped.step {
        case 0:
            guard let expected else {
                stepped.spot = spot(side, path)
                return stepped.spot == nil ? gone : nil
            }
            if let failure = look(&stepped, side, path, expected, .file) { return failure }
            if let known = expected.permissions, stepped.seenInode?.permissions != known { return changed }
            return nil
        case 1:
            guard let spot = stepped.spot, let place = self.path(of: spot) else { return gone }
            var permissions = wanted
            if expected != nil {
                if number(at: spot) == nil { return gone }
                permissions = wanted ?? stepped.seenInode?.permissions
                checkOpening(side, place, from: stepped.seenInode?.permissions, to: permissions)
                self[side].beginVolatileChange()
                stepped.taken = take(spot)
            } else {
                if let taken = taken(side, place) { return taken }
                if let source = file.permissions { permissions = wanted?.within(source) }
                checkOpening(side, place, from: file.permissions, to: permissions)
                self[side].beginVolatileChange()
            }
            stepped.made = self[side].create(
                .file, content: file.content, size: file.size, at: place, isDurable: file.isDurable,
                permissions: permissions, modified: file.modified, now: now)
            guard let made = stepped.made else { return gone }
            stepped.hasActed = true
            stepped.madeVersion = self[side].version(of: made, now: now)
            stepped.madeInode = self[side].state.inodes[made]
            return nil
        default:
            if expected != nil {
                guard let taken = stepped.taken, taken.number == stepped.seen,
                    taken.inodes[taken.number]?.looks(like: stepped.seenInode) == true
                else {
                    bringBack(stepped)
                    return changed
                }
                forget(taken, on: side)
            }
            staged[stage] = nil
            return version(ofMade: stepped, side)
        }
    }

    private mutating func makeDirectory(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ permissions: Permissions?
    ) -> EffectResult? {
        if stepped.step == 0 {
            stepped.spot = spot(side, path)
            return stepped.spot == nil ? failure(side, path) : nil
        }
        // No system call makes a directory and tells which: what others do to it in between is taken for ours.
        guard let spot = stepped.spot, let place = self.path(of: spot) else { return gone }
        if let taken = taken(side, place) { return taken }
        self[side].beginVolatileChange()
        stepped.hasActed = true
        let made = self[side].create(.directory, content: 0, size: 0, at: place, permissions: permissions, now: now)
        return made.map { .wrote(self[side].version(of: $0, now: now)) } ?? failure(side, path)
    }

    private mutating func move(
        _ stepped: inout SteppedEffect, _ side: Side, _ from: RelativePath, _ to: RelativePath, _ kind: EntryKind,
        _ expected: Version
    ) -> EffectResult? {
        if stepped.step == 0 { return look(&stepped, side, from, expected, kind) }
        guard let spot = stepped.spot else { return gone }
        if stepped.step == 1 {
            guard let source = path(of: spot), let moving = number(at: spot), let target = self.spot(side, to) else {
                return gone
            }
            if let taken = taken(side, to, besides: moving) { return taken }
            self[side].beginVolatileChange()
            guard self[side].rename(source, to: to, now: now) else { return gone }
            (stepped.target, stepped.hasActed) = (target, true)
            return nil
        }
        guard let target = stepped.target, let here = number(at: target) else { return gone }
        guard isSame(here, on: side, as: stepped.seen, stepped.seenInode) else {
            self[side].beginVolatileChange()
            if let back = path(of: spot), let there = path(of: target), number(at: spot) == nil {
                _ = self[side].rename(there, to: back, now: now)
            }
            return changed
        }
        return .wrote(self[side].version(of: here, now: now))
    }

    private mutating func setPermissions(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ kind: EntryKind, _ expected: Version,
        _ permissions: Permissions
    ) -> EffectResult? {
        if stepped.step == 0 {
            if let failure = look(&stepped, side, path, expected, kind) { return failure }
            guard let seen = stepped.seen else { return gone }
            return self[side].version(of: seen, now: now).permissions == expected.permissions ? nil : changed
        }
        // Who changes them between this and the last look cannot be told from a file system that keeps none.
        guard let spot = stepped.spot, let seen = stepped.seen, self[side].state.inodes[seen] != nil else {
            return gone
        }
        checkOpening(side, path, from: stepped.seenInode?.permissions, to: permissions)
        self[side].beginVolatileChange()
        self[side].setPermissions(permissions, of: seen, now: now)
        stepped.hasActed = true
        let here = number(at: spot)
        guard isSame(here, on: side, as: seen, stepped.seenInode) else { return changed }
        return .wrote(self[side].version(of: seen, now: now))
    }

    private mutating func remove(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ kind: EntryKind, _ expected: Version,
        isWhole: Bool = false
    ) -> EffectResult? {
        if stepped.step == 0 { return look(&stepped, side, path, expected, kind) }
        guard let spot = stepped.spot else { return gone }
        if stepped.step == 1 {
            guard let place = self.path(of: spot), let here = number(at: spot) else { return gone }
            self[side].beginVolatileChange()
            stepped.hasActed = true
            if kind == .directory && !isWhole {
                guard let inode = self[side].state.inodes[here], inode.kind == .directory, inode.children.isEmpty
                else { return .failed(EffectFailure(.notEmpty)) }
                self[side].remove(place, .single)
                return .done
            }
            stepped.taken = take(spot)
            return nil
        }
        guard let taken = stepped.taken, taken.number == stepped.seen,
            taken.inodes[taken.number]?.looks(like: stepped.seenInode) == true
        else {
            bringBack(stepped)
            return changed
        }
        forget(taken, on: side)
        return .done
    }

    /// The directory is moved where nobody changes anything, and looked at there.
    private mutating func removeTree(
        _ stepped: inout SteppedEffect, _ path: RelativePath, _ expected: Version, _ tag: Token
    ) -> EffectResult? {
        if stepped.step == 0 {
            if let failure = look(&stepped, .remote, path, expected, .directory) { return failure }
            return stepped.seen.map { hasTag(tag, $0) } == true ? nil : changed
        }
        guard let spot = stepped.spot else { return gone }
        if stepped.step == 1 {
            guard let here = number(at: spot) else { return gone }
            stepped.isAsExpected = here == stepped.seen && hasTag(tag, here)
            self[.remote].beginVolatileChange()
            stepped.hasActed = true
            stepped.taken = take(spot)
            return nil
        }
        guard let taken = stepped.taken, stepped.isAsExpected else {
            bringBack(stepped)
            return changed
        }
        forget(taken, on: .remote)
        return .done
    }

    // MARK: Conflicts

    private mutating func displace(
        _ stepped: inout SteppedEffect, _ item: LocalItem, _ aside: EntryName, _ newcomer: Newcomer,
        _ permissions: Permissions?
    ) -> EffectResult? {
        if stepped.step == 0 {
            if let failure = look(&stepped, .local, item.path, item.expected, item.kind) { return failure }
            guard let known = item.expected.permissions else { return nil }
            return stepped.seenInode?.permissions == known ? nil : changed
        }
        guard let spot = stepped.spot else { return gone }
        let besides = SteppedEffect.Spot(side: .local, directory: spot.directory, name: aside)
        switch stepped.step {
        case 1:
            guard let place = path(of: spot), let here = number(at: spot) else { return gone }
            var file: Staged?
            if case .staged(let stage) = newcomer {
                file = staged[stage]
                if file == nil { return gone }
            }
            let old = stepped.seenInode?.permissions
            let permissions = self.permissions(of: newcomer, displacing: item.kind, old, wanted: permissions)
            checkOpening(.local, place, from: old, to: permissions)
            self[.local].beginVolatileChange()
            guard self[.local].detach(place, beside: aside) else { return gone }
            stepped.hasActed = true
            stepped.otherSeen = here
            let made = self[.local].create(
                file == nil ? .directory : .file, content: file?.content ?? 0, size: file?.size ?? 0, at: place,
                isDurable: file?.isDurable ?? true, permissions: permissions, modified: file?.modified, now: now)
            if let made { noteMade(made, by: &stepped) }
            return nil
        case 2:
            guard let old = stepped.otherSeen else { return gone }
            self[.local].beginVolatileChange()
            let isExpected = isSame(old, on: .local, as: stepped.seen, stepped.seenInode)
            if isExpected, number(at: besides) == nil, self[.local].attach(old, now: now) {
                noteAside(old, by: &stepped)
                if case .staged(let stage) = newcomer { staged[stage] = nil }
                return nil
            }
            if let here = number(at: spot), let place = path(of: spot) {
                self[.local].remove(place, isUnwritten(here, stepped, .local) ? .whole : .kept)
            }
            _ = self[.local].attach(old, as: spot.name, now: now)
            return changed
        default:
            guard let old = number(at: besides), case .wrote(let here) = version(ofMade: stepped, .local) else {
                return gone
            }
            return .displaced(by: here, aside: version(ofAside: old, stepped))
        }
    }

    private mutating func lookAtBoth(
        _ stepped: inout SteppedEffect, _ first: LocalItem, _ second: LocalItem
    ) -> EffectResult? {
        if let failure = look(&stepped, .local, second.path, second.expected, second.kind) { return failure }
        (stepped.target, stepped.otherSeen, stepped.otherInode) = (stepped.spot, stepped.seen, stepped.seenInode)
        return look(&stepped, .local, first.path, first.expected, first.kind)
    }

    /// Both names are exchanged, whatever stands there.
    private mutating func exchange(_ stepped: inout SteppedEffect) -> EffectResult? {
        guard let first = stepped.spot.flatMap({ path(of: $0) }), let second = stepped.target.flatMap({ path(of: $0) })
        else { return gone }
        self[.local].beginVolatileChange()
        guard self[.local].exchange(first, second, now: now) else { return gone }
        stepped.hasActed = true
        return nil
    }

    private func wasExchanged(_ stepped: SteppedEffect) -> Bool {
        isSame(stepped.spot.flatMap { number(at: $0) }, on: .local, as: stepped.otherSeen, stepped.otherInode)
            && isSame(stepped.target.flatMap { number(at: $0) }, on: .local, as: stepped.seen, stepped.seenInode)
    }

    private mutating func displace(
        _ stepped: inout SteppedEffect, _ item: LocalItem, _ aside: EntryName, by other: LocalItem
    ) -> EffectResult? {
        switch stepped.step {
        case 0: return lookAtBoth(&stepped, item, other)
        case 1: return exchange(&stepped)
        case 2:
            guard let spot = stepped.spot, let target = stepped.target, wasExchanged(stepped),
                let from = path(of: target), let place = path(of: spot), let here = number(at: spot),
                let old = stepped.seen
            else {
                _ = exchange(&stepped)
                return changed
            }
            noteMade(here, by: &stepped)
            self[.local].beginVolatileChange()
            if self[.local].rename(from, to: place.parent.appending(aside), now: now) {
                noteAside(old, by: &stepped)
                return nil
            }
            _ = exchange(&stepped)
            return changed
        default:
            guard let seen = stepped.seen, self[.local].state.inodes[seen] != nil,
                case .wrote(let here) = version(ofMade: stepped, .local)
            else { return gone }
            return .displaced(by: here, aside: version(ofAside: seen, stepped))
        }
    }

    private mutating func replace(
        _ stepped: inout SteppedEffect, _ replaced: LocalItem, with item: LocalItem
    ) -> EffectResult? {
        switch stepped.step {
        case 0: return lookAtBoth(&stepped, replaced, item)
        case 1: return exchange(&stepped)
        default:
            guard let spot = stepped.spot, let target = stepped.target, wasExchanged(stepped) else {
                _ = exchange(&stepped)
                return changed
            }
            self[.local].beginVolatileChange()
            stepped.taken = take(target)
            return number(at: spot).map { .wrote(self[.local].version(of: $0, now: now)) } ?? gone
        }
    }

    // MARK: Reading

    /// Reads a file that must stay what it is; its contents after the last step.
    private func read(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ expected: Version
    ) -> EffectResult? {
        if stepped.step == 0 { return look(&stepped, side, path, expected, .file) }
        guard let seen = stepped.seen, let inode = self[side].state.inodes[seen], inode.looks(like: stepped.seenInode),
            inode.changed == stepped.seenInode?.changed
        else { return changed }
        if stepped.step == 1 { stepped.content = inode.content }
        return nil
    }

    private mutating func stageFile(
        _ stepped: inout SteppedEffect, _ stage: StageID, _ side: Side, _ path: RelativePath, _ expected: Version
    ) -> EffectResult? {
        if let failure = read(&stepped, side, path, expected) { return failure }
        guard stepped.step == 2, let content = stepped.content, let inode = stepped.seenInode else { return nil }
        mutations += 1
        staged[stage] = Staged(
            content: content, size: inode.size, isDurable: false,
            permissions: self[side].keepsPermissions ? inode.permissions : nil, modified: inode.modified)
        return .staged(Self.hash(content), size: inode.size)
    }

    private func hash(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ expected: Version
    ) -> EffectResult? {
        if let failure = read(&stepped, side, path, expected) { return failure }
        if stepped.step == 0 {
            // Another write after the contents were read could leave the same times.
            stepped.isSeenRacy = self[side].version(of: stepped.seen ?? 0, now: now).isRacy
        }
        guard stepped.step == 2, let content = stepped.content, let seen = stepped.seen else { return nil }
        var version = self[side].version(of: seen, now: now)
        version.isRacy = version.isRacy || stepped.isSeenRacy
        return .hashed(Self.hash(content), version)
    }

    /// A directory that was opened is read, wherever it is by then.
    private mutating func list(
        _ stepped: inout SteppedEffect, _ side: Side, _ path: RelativePath, _ part: ListingPart
    ) -> EffectResult? {
        if stepped.step == 0 {
            guard let number = self[side].inode(at: path), self[side].state.inodes[number]?.kind == .directory else {
                return failure(side, path)
            }
            let identity = self[side].version(of: number, now: now).identity
            if !part.identity.isEmpty && identity != part.identity { return changed }
            stepped.seen = number
            return nil
        }
        guard let seen = stepped.seen else { return gone }
        return pages.page(of: self[side], in: seen, on: side, after: part.after, now: now)
    }
}

extension Footprint {
    /// Whether others can act before it is through.
    var hasInside: Bool { spots.contains { $0.touch != .look } }
}

extension RelativePath {
    /// Whether one of the two is in the other.
    fileprivate func isNested(with other: RelativePath) -> Bool {
        names.starts(with: other.names) || other.names.starts(with: names)
    }
}
