import Dispatch
import Glibc
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SimulatedWorld
@testable import SyncEngine

/// The same random effects, with a person who acts between a look and the effect that rests on it, on the simulated edge and
/// on real directories: results and trees agree. What the simulation shows holds for disks only as far as this does.
///
/// `ROUNDEL_EDGE_PLACE` names a directory on another file system than that of the memory, `ROUNDEL_EDGE_GRAIN` the
/// milliseconds within which its times are the same.
@Suite struct EdgeLikenessTests {
    private static let place = getenv("ROUNDEL_EDGE_PLACE").map { String(cString: $0) } ?? "/dev/shm"
    private static let grain = getenv("ROUNDEL_EDGE_GRAIN").flatMap { UInt32(String(cString: $0)) } ?? 10
    private static let isCoarse = grain > 100
    private static let steps = isCoarse ? 60 : 120

    @Test(
        "random effects come to the same", arguments: SeededRandom.seeds(isCoarse ? 1 : 4, for: "EdgeLikenessTests"))
    func randomEffects(seed: UInt64) throws {
        var pair = try EdgePair(in: Self.place, grain: Self.grain, seed: seed)
        for _ in 0..<Self.steps {
            try pair.step()
            if let difference = try pair.difference() {
                Issue.record("\(difference)\nROUNDEL_SEED=\(seed)\n\(pair.log.suffix(40).joined(separator: "\n"))")
                return
            }
        }
        #expect(pair.carriedOut + pair.refused > 0)
    }
}

/// A simulated edge and two real directories with the same in them.
private struct EdgePair {
    private struct Spot: Hashable {
        var side: Side
        var path: RelativePath
    }

    /// What stood at a place when it was looked at last.
    private struct Sight {
        var kind: EntryKind
        var real: Version
        var model: Version
    }

    /// In milliseconds.
    private let grain: UInt32
    private let world: EndpointWorld
    private let runner: EffectRunner
    private let answers = Answers()
    private var model = SimulatedEdge(grain: 1_000_000)
    private var random: SeededRandom
    private var sights: [Spot: Sight] = [:]
    /// What is staged, by the side on which it is.
    private var staged: [(id: StageID, side: Side)] = []
    private var lastContent = 0
    private var lastStage: UInt64 = 0
    private var problem: String?
    /// What was done, for the report.
    private(set) var log: [String] = []
    private(set) var carriedOut = 0
    private(set) var refused = 0

    private final class Answers: Sendable {
        let result = Mutex<EffectResult?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }

    init(in place: String, grain: UInt32, seed: UInt64) throws {
        self.grain = grain
        world = try EndpointWorld(in: place, stateIn: place)
        random = SeededRandom(seed: seed)
        let answers = answers
        runner = EffectRunner(local: world.local, remote: world.remote, limit: 1) { report in
            guard case .finished(_, let result) = report else { return }
            answers.result.withLock { $0 = result }
            answers.isThere.signal()
        }
        _ = perform(.probeRoots)
    }

    // MARK: Steps

    mutating func step() throws {
        switch random.below(10) {
        case 0...2: try act()
        case 3...5: look()
        default: affect()
        }
    }

    /// What is wrong after a step; nil if all agrees.
    func difference() throws -> String? {
        if let problem { return problem }
        for side in Side.allCases {
            let (real, model) = (try realTree(side), modelTree(side))
            if real != model {
                let paths = Set(real.keys).union(model.keys).filter { real[$0] != model[$0] }.sorted()
                return "after \(log.last ?? ""): "
                    + paths.map { "\(side) \($0): real \(real[$0] ?? "-"), model \(model[$0] ?? "-")" }
                    .joined(separator: "; ")
            }
        }
        return nil
    }

    private static let names = ["a", "b", "c"]

    private mutating func anyPath() -> RelativePath {
        var path = ""
        while random.oneIn(3), path.utf8.count < 4 { path += (random.pick(["d", "e"]) ?? "d") + "/" }
        return RelativePath(text: path + (random.pick(Self.names + ["d", "e"]) ?? "a"))
    }

    /// What something new is to have; nil where the session does not say.
    private mutating func anyPermissions(_ kind: EntryKind) -> Permissions? {
        if random.oneIn(2) { return nil }
        return random.pick(kind == .directory ? [0o700, 0o755] : [0o600, 0o644, 0o755]).map { Permissions($0) }
    }

    private mutating func anySide() -> Side { random.oneIn(3) ? .remote : .local }

    // MARK: A person

    /// A person does something on one of the sides, if that can be done there.
    private mutating func act() throws {
        // What is done within one grain of the clock has no other times.
        usleep(grain * 1_000)
        model.now += 1_000_000_000
        let (side, path) = (anySide(), anyPath())
        let place = directory(side).path.pushing(FilePath("\(path)"))
        guard let parent = kind(side, path.parent), parent == .directory else { return }
        switch (random.below(6), kind(side, path)) {
        case (0, nil), (1, nil), (2, nil), (0, .file?), (1, .file?): try write(side, path, place)
        case (_, nil):
            log.append("person makes \(side) \(path)/")
            guard mkdir(place.string, 0o755) == 0 else { throw Errno(rawValue: errno) }
            _ = model[side].create(.directory, content: 0, size: 0, at: path, now: model.now)
        case (2, let kind?):
            let mode = random.pick(kind == .file ? [0o600, 0o644, 0o755] : [0o700, 0o755]) ?? 0o644
            log.append("person chmods \(side) \(path) \(String(mode, radix: 8))")
            guard chmod(place.string, UInt32(mode)) == 0 else { throw Errno(rawValue: errno) }
            if let number = model[side].inode(at: path) {
                model[side].setPermissions(Permissions(mode), of: number, now: model.now)
            }
        case (3, _?):
            log.append("person deletes \(side) \(path)")
            try DirectoryHandle(absolute: place.removingLastComponent()).removeTree(try #require(path.name))
            model[side].remove(path)
        default:
            let target = anyPath()
            guard kind(side, target.parent) == .directory, kind(side, target) == nil,
                !target.names.starts(with: path.names)
            else { return }
            log.append("person moves \(side) \(path) to \(target)")
            let newPlace = directory(side).path.pushing(FilePath("\(target)"))
            guard rename(place.string, newPlace.string) == 0 else { throw Errno(rawValue: errno) }
            _ = model[side].rename(path, to: target, now: model.now)
        }
    }

    private static func text(_ content: Int) -> String {
        content == 0 ? "" : "contents \(content)" + String(repeating: ".", count: content)
    }

    private mutating func write(_ side: Side, _ path: RelativePath, _ place: FilePath) throws {
        lastContent += 1
        let text = Self.text(lastContent)
        log.append("person writes \(side) \(path) = \(lastContent)")
        let file = open(place.string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
            throw Errno(rawValue: errno)
        }
        close(file)
        let size = Int64(text.utf8.count)
        if let number = model[side].inode(at: path) {
            model[side].overwrite(number, content: lastContent, size: size, now: model.now)
        } else {
            _ = model[side].create(.file, content: lastContent, size: size, at: path, now: model.now)
        }
    }

    // MARK: Looking

    private mutating func look() {
        let spot = Spot(side: anySide(), path: anyPath())
        guard
            case (.entry(let real)?, .entry(let model)?) = both({ _ in .checkEntry(spot.side, spot.path, in: .none) }),
            let real, let model
        else { return sights[spot] = nil }
        if real.kind != model.kind || real.version.permissions != model.version.permissions {
            problem = "looks: \(spot.side) \(spot.path): real \(real), model \(model)"
        }
        sights[spot] = Sight(kind: real.kind, real: real.version, model: model.version)
    }

    /// A place that was looked at, with what stood there then.
    private mutating func anySight(_ side: Side? = nil, _ kind: EntryKind? = nil) -> (spot: Spot, sight: Sight)? {
        let found = sights.filter { (side == nil || $0.key.side == side) && (kind == nil || $0.value.kind == kind) }
        let ordered = found.sorted {
            ($0.key.side.rawValue, $0.key.path.bytes.description) < (
                $1.key.side.rawValue, $1.key.path.bytes.description
            )
        }
        return random.pick(ordered.map { (spot: $0.key, sight: $0.value) })
    }

    // MARK: Effects

    /// One of the two worlds, whose versions an effect names.
    private enum World { case real, model }

    private func item(_ found: (spot: Spot, sight: Sight), _ world: World) -> LocalItem {
        LocalItem(path: found.spot.path, kind: found.sight.kind, expected: version(found.sight, world))
    }

    private func version(_ sight: Sight, _ world: World) -> Version { world == .real ? sight.real : sight.model }

    private mutating func affect() {
        model.now += 1_000_000_000
        switch random.below(9) {
        case 0, 1: stageSomething()
        case 2: publishSomething()
        case 3:
            let (side, path, permissions) = (anySide(), anyPath(), anyPermissions(.directory))
            compare { _ in .makeDirectory(side, path, permissions: permissions) }
        case 4:
            guard let found = anySight() else { return }
            let (sight, target) = (found.sight, anyPath())
            // Nobody plans a move of an item to where it is, or into itself.
            if target.names.starts(with: found.spot.path.names) { return }
            compare { [self] world in
                .move(
                    found.spot.side, from: found.spot.path, to: target, kind: sight.kind,
                    expected: version(sight, world))
            }
        case 5:
            guard let found = anySight() else { return }
            compare { [self] world in
                .remove(
                    found.spot.side, found.spot.path, kind: found.sight.kind, expected: version(found.sight, world))
            }
        case 6:
            guard let found = anySight(), let mode = random.pick([0o600, 0o644, 0o755]) else { return }
            // The item stays where it is; only its times tell that it was changed after the look.
            usleep(grain * 1_000)
            compare { [self] world in
                .setPermissions(
                    found.spot.side, found.spot.path, kind: found.sight.kind, expected: version(found.sight, world),
                    Permissions(found.sight.kind == .directory ? mode | 0o700 : mode))
            }
        case 7: displaceSomething()
        default:
            guard let from = anySight(.local), let to = anySight(.local) else { return }
            if random.oneIn(3) {
                compare { [self] world in .discardLocal(item(from, world)) }
            } else if !from.spot.path.names.starts(with: to.spot.path.names),
                !to.spot.path.names.starts(with: from.spot.path.names)
            {
                compare { [self] world in .replaceLocal(from: item(from, world), to: item(to, world)) }
            }
        }
    }

    private mutating func stageSomething() {
        guard let found = anySight(nil, .file) else { return }
        lastStage += 1
        let id = StageID(lastStage)
        let result = compare { [self] world in
            .stage(id, from: found.spot.side, found.spot.path, expected: version(found.sight, world))
        }
        if case .staged? = result { staged.append((id, found.spot.side.other)) }
    }

    private mutating func publishSomething() {
        guard let stage = random.pick(staged.map { (id: $0.id, side: $0.side) }) else { return }
        let replaced = random.oneIn(2) ? anySight(stage.side, .file) : nil
        let path = replaced?.spot.path ?? anyPath()
        let permissions = anyPermissions(.file)
        let result = compare { [self] world in
            .publish(
                stage.id, stage.side, path, expected: replaced.map { version($0.sight, world) },
                permissions: permissions)
        }
        if case .wrote? = result { staged.removeAll { $0.id == stage.id } }
    }

    private mutating func displaceSomething() {
        guard let loser = anySight(.local), let aside = EntryName(random.pick(["x", "y", "c"]) ?? "x") else { return }
        let stage = random.pick(staged.filter { $0.side == .local }.map(\.id))
        let other = anySight(.local)
        let choice = random.below(3)
        let permissions = anyPermissions(choice == 0 && stage != nil ? .file : .directory)
        let result = compare { [self] world in
            let newcomer: Newcomer
            switch (choice, stage, other) {
            case (0, let stage?, _): newcomer = .staged(stage)
            case (1, _, let other?)
            where !other.spot.path.names.starts(with: loser.spot.path.names)
                && !loser.spot.path.names.starts(with: other.spot.path.names):
                newcomer = .item(item(other, world))
            default: newcomer = .directory
            }
            return .displace(item(loser, world), aside: aside, by: newcomer, permissions: permissions)
        }
        if case .displaced? = result, choice == 0, let stage { staged.removeAll { $0.id == stage } }
    }

    /// Has both worlds carry an effect out; returns the result of the real one if they agree.
    @discardableResult
    private mutating func compare(_ effect: (World) -> Effect) -> EffectResult? {
        guard case (let real?, let model?) = both(effect) else { return nil }
        if case .failed = real { refused += 1 } else { carriedOut += 1 }
        let (one, other) = (Self.outcome(real), Self.outcome(model))
        log[log.count - 1] += ": \(one)"
        if one != other, !Self.areBothStale(effect(.real), real, model) {
            problem = "\(log.last ?? ""): real \(real), model \(model)"
        }
        return real
    }

    /// Whether both refused something with two items because of what stands there. Which of the two is said depends on which
    /// is seen to be another one: where a file system gives numbers again and tells no birth, a directory that was made anew
    /// looks like the one before.
    private static func areBothStale(_ effect: Effect, _ real: EffectResult, _ model: EffectResult) -> Bool {
        guard case (.failed(let one), .failed(let other)) = (real, model) else { return false }
        let (stale, footprint): ([EffectFailure.Reason], Footprint) = ([.notFound, .changed], effect.footprint)
        let isOfTwo = footprint.has(.leave) && (footprint.has(.setAside) || footprint.has(.discard))
        return isOfTwo && stale.contains(one.reason) && stale.contains(other.reason)
    }

    private mutating func both(_ effect: (World) -> Effect) -> (real: EffectResult?, model: EffectResult?) {
        log.append(Self.summary(effect(.real)))
        return (perform(effect(.real)), model.carryOut(effect(.model)))
    }

    private func perform(_ effect: Effect) -> EffectResult? {
        // A child that another test starts has open what was open then, until its program begins.
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            runner.run([(EffectID(1), effect)])
            answers.isThere.wait()
            let result = answers.result.withLock { $0 }
            guard case .failed(let failure)? = result, failure.reason == .busy else { return result }
            usleep(1_000)
        }
        return nil
    }

    private static func outcome(_ result: EffectResult) -> String {
        switch result {
        case .done: "done"
        case .entry(let entry): "entry \(entry.map { "\($0.kind)" } ?? "none")"
        case .staged(_, let size): "staged \(size)"
        case .wrote: "wrote"
        case .displaced: "displaced"
        case .lacking(let inner, _): outcome(inner)
        case .failed(let failure): "failed: \(failure.reason)"
        case .roots, .marked, .listing, .page, .hashed: "\(result)"
        }
    }

    private static func summary(_ wanted: Permissions?) -> String { wanted.map { " with \($0)" } ?? "" }

    private static func summary(_ effect: Effect) -> String {
        switch effect {
        case .stage(let id, let side, let path, _): "stage \(id.rawValue) from \(side) \(path)"
        case .publish(let id, let side, let path, let expected, let wanted):
            "publish \(id.rawValue) \(side) \(path) \(expected == nil ? "new" : "replacing")\(summary(wanted))"
        case .makeDirectory(let side, let path, let wanted): "make \(side) \(path)/\(summary(wanted))"
        case .move(let side, let from, let to, _, _): "move \(side) \(from) to \(to)"
        case .remove(let side, let path, let kind, _): "remove \(side) \(kind) \(path)"
        case .removeTree(let path, _, _): "remove the tree \(path)"
        case .setPermissions(let side, let path, _, _, let wanted): "permissions \(side) \(path) \(wanted)"
        case .displace(let item, let aside, let newcomer, let wanted):
            "displace \(item.path) aside \(aside) by \(summary(newcomer))\(summary(wanted))"
        case .replaceLocal(let from, let to): "replace \(to.path) with \(from.path)"
        case .discardLocal(let item): "discard \(item.kind) \(item.path)"
        case .checkEntry(let side, let path, _): "look at \(side) \(path)"
        case .probeRoots, .markRoot, .listDirectory, .hashFile, .syncContents, .syncRenames, .discard, .fill, .free,
            .describe, .within, .opening:
            "\(effect)"
        }
    }

    private static func summary(_ newcomer: Newcomer) -> String {
        switch newcomer {
        case .staged(let id): "staged \(id.rawValue)"
        case .directory: "a directory"
        case .item(let item): "\(item.kind) \(item.path)"
        }
    }

    // MARK: Trees

    private func directory(_ side: Side) -> TemporaryDirectory { side == .local ? world.folder : world.remoteFolder }

    private func kind(_ side: Side, _ path: RelativePath) -> EntryKind? {
        try? DirectoryHandle(absolute: directory(side).path).status(at: path).kind
    }

    private func realTree(_ side: Side) throws -> [String: String] {
        var tree: [String: String] = [:]
        var open: [RelativePath] = [.root]
        let root = try DirectoryHandle(absolute: directory(side).path)
        while let path = open.popLast() {
            let directory = try root.directory(at: path)
            for name in try directory.names() where name != HiddenArea.name {
                let (child, status) = (path.appending(name), try directory.status(of: name))
                var text = "\(status.kind) \(String(status.mode & 0o777, radix: 8))"
                if status.kind == .directory {
                    open.append(child)
                } else {
                    text +=
                        try " “"
                        + String(decoding: directory.open(name, O_RDONLY).readAll(limit: 1 << 20), as: UTF8.self) + "”"
                }
                tree["\(child)"] = text
            }
        }
        return tree
    }

    private func modelTree(_ side: Side) -> [String: String] {
        var tree: [String: String] = [:]
        for (path, number) in model[side].walk() {
            guard !path.isRoot, let inode = model[side].state.inodes[number] else { continue }
            var text = "\(inode.kind) \(String(inode.permissions.bits, radix: 8))"
            if inode.kind == .file { text += " “" + Self.text(inode.content) + "”" }
            tree["\(path)"] = text
        }
        return tree
    }
}
