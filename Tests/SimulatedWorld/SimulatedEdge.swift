import SyncCore
import TestSupport

/// Carries effects out on two simulated disks.
struct SimulatedEdge {
    struct Staged {
        var content: Int
        var size: Int64
        var isDurable: Bool
        var permissions: Permissions?
        /// When the source was modified: the file that is put in a place step by step carries it on.
        var modified: Int64?
    }

    var disks: [SimulatedDisk]
    var staged: [StageID: Staged] = [:]
    var now: Int64 = 1_000_000_000
    /// Effects carried out that change something a person can see, and transfers.
    var mutations = 0
    var generation: UInt8 = 1
    /// What stands at the place of each root.
    var roots = [SimulatedRoot.own, .own]
    /// The folder's own disks while others stand in their place.
    var away: [SimulatedDisk?] = [nil, nil]
    /// The roots as they were probed last: nothing else is touched.
    var probed: [Token] = [SimulatedRoot.own.identity(.local), SimulatedRoot.own.identity(.remote)]

    /// How directories are listed.
    var pages = SimulatedPages()
    /// What a side refuses now.
    var refusal: SimulatedRefusal?
    /// What an effect opened that nobody had opened.
    var leaks: [String] = []
    /// The local files that a program has open.
    var opened: Set<Int> = []

    init(
        grain: Int64, foldsNames: Bool = false, remoteKeepsPermissions: Bool = true, foldsLocalNames: Bool = false,
        reusesNumbers: Bool = false, remoteTagsDirectories: Bool = false, remoteTellsDigests: Bool = false,
        isOnDemand: Bool = false, remoteTellsAccess: Bool = false
    ) {
        disks = [
            SimulatedDisk(grain: grain, foldsNames: foldsLocalNames, reusesNumbers: reusesNumbers),
            SimulatedDisk(
                grain: grain, foldsNames: foldsNames, keepsPermissions: remoteKeepsPermissions,
                reusesNumbers: reusesNumbers, tagsDirectories: remoteTagsDirectories, tellsDigests: remoteTellsDigests,
                remembersContents: isOnDemand, tellsAccess: remoteTellsAccess),
        ]
    }

    subscript(side: Side) -> SimulatedDisk {
        get { disks[Int(side.rawValue)] }
        // In place: a disk that is taken out and put back is copied.
        _modify { yield &disks[Int(side.rawValue)] }
    }

    static func hash(_ content: Int) -> ContentHash {
        var bytes = withUnsafeBytes(of: content) { Array($0) }
        bytes += [UInt8](repeating: 0, count: 32 - bytes.count)
        return ContentHash(bytes)
    }

    mutating func carryOut(_ effect: Effect) -> EffectResult {
        let footprint = effect.footprint
        if let side = footprint.side, !isThere(side) { return absent(effect) }
        if let refused = refusal(of: effect) ?? mountedThere(footprint) ?? forbidden(footprint) { return refused }
        let result = act(effect)
        if case .failed = result { return result }
        if footprint.isChange { mutations += 1 }
        return result
    }

    /// Carries it out where nothing refuses that.
    mutating func act(_ effect: Effect) -> EffectResult {
        switch effect {
        case .probeRoots:
            return .roots(local: probe(.local), remote: probe(.remote))
        case .listDirectory(let side, let path, let part):
            return list(side, path, part)
        case .checkEntry(let side, let path, let directory):
            if !directory.isEmpty {
                guard let parent = self[side].inode(at: path.parent) else { return failure(side, path.parent) }
                if self[side].version(of: parent, now: now).identity != directory { return changed }
            }
            guard let name = path.name, let number = self[side].inode(at: path) else { return .entry(nil) }
            return .entry(self[side].entry(name, number, now: now))
        case .hashFile(let side, let path, let expected):
            guard let number = find(side, path, expected, .file) else { return failure(side, path) }
            let content = self[side].state.inodes[number]?.content ?? 0
            return .hashed(Self.hash(content), self[side].version(of: number, now: now))
        case .stage(let stage, let side, let path, let expected):
            return stageFile(stage, side, path, expected)
        case .syncContents(_, let stages):
            for stage in stages { staged[stage]?.isDurable = true }
            return .done
        case .syncRenames(let side, let items):
            self[side].syncRenames(items, now: now)
            return .done
        case .discard(_, let stages):
            for stage in stages { staged[stage] = nil }
            return .done
        case .markRoot(_, let known):
            return .marked(known)
        case .within(let points, let inner):
            return points.allSatisfy { isMounted($0) } ? act(inner) : .failed(EffectFailure(.notMounted))
        case .opening(_, let inner): return act(inner)
        case .publish(let stage, let side, let path, let expected, let permissions):
            return publish(stage, side, path, expected, permissions)
        case .makeDirectory(let side, let path, let permissions):
            if let taken = taken(side, path) { return taken }
            self[side].beginVolatileChange()
            let made = self[side].create(.directory, content: 0, size: 0, at: path, permissions: permissions, now: now)
            return made.map { .wrote(self[side].version(of: $0, now: now)) } ?? failure(side, path)
        case .move(let side, let from, let to, let kind, let expected):
            return move(side, from, to, kind, expected)
        case .fill(let path, let stage, let expected): return fill(path, with: stage, expected: expected)
        case .free(let path, let expected, let there, let version):
            return free(path, expected: expected, ifRemote: there, has: version)
        case .describe(let path, let source, let expected, let permissions):
            return describe(path, as: source, expected: expected, permissions: permissions)
        case .displace(let item, let name, let newcomer, let permissions):
            return displace(item, beside: name, by: newcomer, permissions)
        case .setPermissions(let side, let path, let kind, let expected, let permissions):
            return setPermissions(side, path, kind, expected, permissions)
        case .replaceLocal(let from, let to): return replace(to, with: from)
        case .discardLocal(let item):
            guard find(.local, item.path, item.expected, item.kind) != nil else { return failure(.local, item.path) }
            discard(item.path)
            return .done
        case .remove(let side, let path, let kind, let expected):
            guard let number = find(side, path, expected, kind) else { return failure(side, path) }
            if !(self[side].state.inodes[number]?.children.isEmpty ?? true) { return .failed(EffectFailure(.notEmpty)) }
            self[side].beginVolatileChange()
            self[side].remove(path, side == .local && kind == .file ? .kept : .single)
            return .done
        case .removeTree(let path, let expected, let tag):
            guard let number = find(.remote, path, expected, .directory) else { return failure(.remote, path) }
            guard hasTag(tag, number) else { return changed }
            self[.remote].beginVolatileChange()
            self[.remote].remove(path)
            return .done
        }
    }

    /// The failure that the remote does not let its user do that.
    func forbidden(_ footprint: Footprint) -> EffectResult? {
        let isAllowed = footprint.spots.allSatisfy { $0.side == .local || self[.remote].isAllowed($0, footprint) }
        return isAllowed ? nil : .failed(EffectFailure(.denied, Explanation(.denied, .remote, "")))
    }

    private mutating func move(
        _ side: Side, _ from: RelativePath, _ to: RelativePath, _ kind: EntryKind, _ expected: Version
    ) -> EffectResult {
        guard let moving = find(side, from, expected, kind) else { return failure(side, from) }
        if let failure = across(side, from, to) ?? taken(side, to, besides: moving) { return failure }
        self[side].beginVolatileChange()
        guard self[side].rename(from, to: to, now: now), let number = self[side].inode(at: to) else {
            return .failed(EffectFailure(.notFound))
        }
        return .wrote(self[side].version(of: number, now: now))
    }

    private mutating func stageFile(
        _ stage: StageID, _ side: Side, _ path: RelativePath, _ expected: Version
    ) -> EffectResult {
        guard let number = find(side, path, expected, .file), let inode = self[side].state.inodes[number] else {
            return failure(side, path)
        }
        mutations += 1
        staged[stage] = Staged(
            content: inode.content, size: inode.size, isDurable: false,
            permissions: self[side].keepsPermissions ? inode.permissions : nil)
        return .staged(Self.hash(inode.content), size: inode.size)
    }

    private mutating func list(_ side: Side, _ path: RelativePath, _ part: ListingPart) -> EffectResult {
        guard let number = self[side].inode(at: path), self[side].state.inodes[number]?.kind == .directory else {
            return failure(side, path)
        }
        let identity = self[side].version(of: number, now: now).identity
        if !part.identity.isEmpty && identity != part.identity { return changed }
        return pages.page(of: self[side], in: number, on: side, after: part.after, now: now)
    }

    var changed: EffectResult { .failed(EffectFailure(.changed, "changed")) }

    func failure(_ side: Side, _ path: RelativePath) -> EffectResult {
        let isThere = self[side].inode(at: path) != nil
        return .failed(EffectFailure(isThere ? .changed : .notFound, Explanation(.gone, side, "\(path)")))
    }

    /// The failure that a name is taken: by itself, or by another spelling of it.
    func taken(_ side: Side, _ path: RelativePath, besides own: Int = 0) -> EffectResult? {
        guard let name = path.name, let parent = self[side].inode(at: path.parent),
            let taken = self[side].obstacle(to: name, in: parent, besides: own)
        else { return nil }
        return .failed(EffectFailure(taken.name == name ? .exists : .nameClash, Self.clash))
    }

    /// The failure that two places are in different file systems.
    private func across(_ side: Side, _ first: RelativePath, _ second: RelativePath) -> EffectResult? {
        guard let one = self[side].inode(at: first.parent), let other = self[side].inode(at: second.parent),
            !self[side].isOnOneFileSystem(one, other)
        else { return nil }
        return .failed(EffectFailure(.denied, Self.movedAcross))
    }

    /// What is said of a name clash, and of a move between file systems.
    static let clash = Explanation(.nameClash)
    static let movedAcross = Explanation(.movedAcross)

    /// The inode at a path if it is the expected version.
    func find(_ side: Side, _ path: RelativePath, _ expected: Version, _ kind: EntryKind) -> Int? {
        guard let number = self[side].inode(at: path), self[side].state.inodes[number]?.kind == kind else { return nil }
        let version = self[side].version(of: number, now: now)
        return version.isSame(as: expected) && version.residence == expected.residence ? number : nil
    }

    /// Whether everything in a directory of the remote is as it was when that had this tag.
    func hasTag(_ tag: Token, _ directory: Int) -> Bool { !tag.isEmpty && self[.remote].tag(of: directory) == tag }

    /// The names are exchanged, and what stood in the way is kept elsewhere; the machine may stop in between.
    private mutating func replace(_ replaced: LocalItem, with item: LocalItem) -> EffectResult {
        guard find(.local, item.path, item.expected, item.kind) != nil else { return failure(.local, item.path) }
        guard find(.local, replaced.path, replaced.expected, replaced.kind) != nil else {
            return failure(.local, replaced.path)
        }
        if let failure = across(.local, item.path, replaced.path) { return failure }
        self[.local].beginVolatileChange()
        guard self[.local].exchange(item.path, replaced.path, now: now) else { return changed }
        discard(item.path)
        return self[.local].inode(at: replaced.path).map { .wrote(self[.local].version(of: $0, now: now)) } ?? changed
    }

    /// Something gets the name of an item in one step, which is set beside in another; the machine may stop in between.
    private mutating func displace(
        _ item: LocalItem, beside name: EntryName, by newcomer: Newcomer, _ permissions: Permissions?
    ) -> EffectResult {
        guard let loser = find(.local, item.path, item.expected, item.kind) else { return failure(.local, item.path) }
        if let expected = item.expected.permissions {
            guard self[.local].version(of: loser, now: now).permissions == expected else { return changed }
        }
        let aside = item.path.parent.appending(name)
        if let taken = taken(.local, aside) { return taken }
        if case .item(let other) = newcomer {
            guard find(.local, other.path, other.expected, other.kind) != nil else {
                return failure(.local, other.path)
            }
            if let failure = across(.local, item.path, other.path) { return failure }
        }
        self[.local].beginVolatileChange()
        guard takeName(of: item.path, beside: name, by: newcomer, permissions) else { return changed }
        if !self[.local].state.slots.isEmpty {
            self[.local].beginVolatileChange()
            self[.local].attachAll(now: now)
        }
        guard let here = self[.local].inode(at: item.path), self[.local].inode(at: aside) == loser else {
            return changed
        }
        return .displaced(
            by: self[.local].version(of: here, now: now), aside: self[.local].version(of: loser, now: now))
    }

    private mutating func takeName(
        of path: RelativePath, beside name: EntryName, by newcomer: Newcomer, _ permissions: Permissions?
    ) -> Bool {
        let old = self[.local].inode(at: path).flatMap { self[.local].state.inodes[$0] }
        let permissions = self.permissions(
            of: newcomer, displacing: old?.kind, old?.permissions, wanted: permissions)
        checkOpening(.local, path, from: old?.permissions, to: permissions)
        let made: Int?
        switch newcomer {
        case .staged(let stage):
            guard let file = staged[stage], self[.local].detach(path, beside: name) else { return false }
            staged[stage] = nil
            made = self[.local].create(
                .file, content: file.content, size: file.size, at: path, isDurable: file.isDurable,
                permissions: permissions, now: now)
        case .directory:
            guard self[.local].detach(path, beside: name) else { return false }
            made = self[.local].create(
                .directory, content: 0, size: 0, at: path, permissions: permissions, now: now)
        case .item(let other):
            let aside = path.parent.appending(name)
            if self[.local].exchange(path, other.path, now: now) {
                self[.local].beginVolatileChange()
                return self[.local].rename(other.path, to: aside, now: now)
            }
            // One holds the other.
            guard let number = self[.local].inode(at: other.path), self[.local].rename(path, to: aside, now: now),
                let inside = self[.local].path(of: number)
            else { return false }
            self[.local].beginVolatileChange()
            return self[.local].rename(inside, to: path, now: now)
        }
        return made != nil
    }

    /// Sets beside its place what gave way in a conflict when the machine stopped.
    mutating func finishDisplacements() {
        for side in Side.allCases where !self[side].state.slots.isEmpty {
            self[side].beginVolatileChange()
            self[side].attachAll(now: now)
        }
    }

    /// Puts a local item into the trash with all that is in it.
    private mutating func discard(_ path: RelativePath) {
        self[.local].beginVolatileChange()
        self[.local].remove(path, .kept)
    }

    private mutating func publish(
        _ stage: StageID, _ side: Side, _ path: RelativePath, _ expected: Version?, _ wanted: Permissions?
    ) -> EffectResult {
        guard let file = staged[stage] else { return .failed(EffectFailure(.io, "not staged")) }
        var permissions = wanted
        if let expected {
            guard let number = find(side, path, expected, .file) else { return failure(side, path) }
            let replaced = self[side].state.inodes[number]?.permissions
            if let known = expected.permissions, replaced != known { return changed }
            checkOpening(side, path, from: replaced, to: wanted)
            permissions = wanted ?? replaced
            self[side].beginVolatileChange()
            self[side].remove(path, side == .local ? .kept : .single)
        } else {
            if let taken = taken(side, path) { return taken }
            if let source = file.permissions { permissions = wanted?.within(source) }
            checkOpening(side, path, from: file.permissions, to: permissions)
            self[side].beginVolatileChange()
        }
        let made = self[side].create(
            .file, content: file.content, size: file.size, at: path, isDurable: file.isDurable,
            permissions: permissions, now: now)
        guard let made else { return .failed(EffectFailure(.notFound)) }
        staged[stage] = nil
        return .wrote(self[side].version(of: made, now: now))
    }
}
