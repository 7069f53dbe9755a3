import SimulatedWorld
import SyncCore
import Testing

/// What a person deletes here with everything in it goes from the remote in one go, where the tag of the directory shows
/// that everything in it is as it is known.
@Suite("A deleted directory goes from the remote with everything in it") struct RemovedTreeTests {
    private static let paths = ["a/b/c/1", "a/b/d/2", "a/e/3", "f/4", "5"]

    /// A folder in which both sides agree and the tags of the remote are known.
    private func agreed(
        _ paths: [String] = paths, excluding excludes: [String] = [], tagsDirectories: Bool = true,
        treeLimit: Int = 10_000, besides others: (inout SimulatedFolder) -> Void = { _ in }
    ) throws -> SimulatedFolder {
        var folder = SimulatedFolder(excludes: excludes, tagsDirectories: tagsDirectories, treeLimit: treeLimit)
        for (content, path) in paths.enumerated() { folder.write(.local, path, content + 1) }
        others(&folder)
        try folder.sync()
        try folder.pass(seconds: 10)
        for _ in 0..<2 { try folder.sync() }
        folder.forgetEffects()
        return folder
    }

    /// What was removed from the remote; a directory that went with everything in it with a star.
    private func removed(_ folder: SimulatedFolder) -> [String] {
        folder.effects.compactMap { effect in
            if case .removeTree(let path, _, _) = effect { return "\(path)*" }
            if case .remove(.remote, let path, _, _) = effect { return "\(path)" }
            return nil
        }
    }

    /// Deletes a directory here, and comes to the point at which the remote is to remove it.
    private func holdRemoval(of path: String, _ folder: inout SimulatedFolder) throws {
        folder.delete(.local, path)
        folder.isHeld = { effect in if case .removeTree = effect { true } else { false } }
        try folder.sync()
        folder.isHeld = { _ in false }
    }

    private func expectRest(_ folder: inout SimulatedFolder, _ contents: [String: Int]) throws {
        try folder.finish()
        try folder.pass(seconds: 30)
        try folder.sync()
        #expect(folder.contents(.local) == contents)
        #expect(folder.contents(.remote) == contents)
        #expect(folder.status?.state == .synced)
        #expect(try folder.reasons().isEmpty)
    }

    @Test("by one effect, which counts like the removal of each item", arguments: [true, false])
    func one(isWhole: Bool) throws {
        var folder = try agreed(tagsDirectories: isWhole)
        folder.delete(.local, "a")
        try folder.sync()
        let single = ["a/b/c/1", "a/b/d/2", "a/e/3", "a/b/c", "a/b/d", "a/e", "a/b", "a"]
        #expect(isWhole ? removed(folder) == ["a*"] : removed(folder).sorted() == single.sorted())
        #expect(folder.summary.deletedRemote == 8 && folder.summary.errors == 0)
        let told = folder.activities.filter { $0.kind == .deletedRemote }.map { "\($0.path)" }
        #expect(told.sorted() == single.sorted())
        for (index, path) in told.enumerated() { #expect(!told[..<index].contains { path.hasPrefix($0 + "/") }) }
        #expect(try Tree.allCases.map { try folder.store.trees.count(in: $0) } == [4, 4, 4])
        folder.forgetEffects()
        try folder.restart()
        #expect(folder.mutations == 0)
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
    }

    @Test("the topmost one, and each of several")
    func several() throws {
        var folder = try agreed()
        folder.delete(.local, "a/b")
        folder.delete(.local, "f")
        folder.delete(.local, "5")
        try folder.sync()
        #expect(removed(folder).sorted() == ["5", "a/b*", "f*"])
        try expectRest(&folder, ["a": 0, "a/e": 0, "a/e/3": 3])
    }

    @Test("until then nothing in it is removed, and waits for it")
    func waiting() throws {
        var folder = try agreed()
        try holdRemoval(of: "a", &folder)
        #expect(removed(folder).isEmpty)
        #expect(folder.contents(.remote)["a/b/c/1"] == 1)
        let words = try folder.reasons()
        #expect(words.contains(Explanation(.waitsForItem, nil, "a")))
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
        #expect(removed(folder) == ["a*"])
    }

    private enum Change: CaseIterable { case new, changed, movedOut, movedIn, deleted, newDirectory }

    @Test("what somebody does in it meanwhile survives, and the rest goes one by one", arguments: Change.allCases)
    private func meanwhile(_ change: Change) throws {
        var folder = try agreed()
        try holdRemoval(of: "a", &folder)
        var left = ["5": 5, "f": 0, "f/4": 4]
        switch change {
        case .new:
            folder.write(.remote, "a/b/c/new", 9)
            left.merge(["a": 0, "a/b": 0, "a/b/c": 0, "a/b/c/new": 9]) { $1 }
        case .changed:
            folder.write(.remote, "a/b/c/1", 9)
            left.merge(["a": 0, "a/b": 0, "a/b/c": 0, "a/b/c/1": 9]) { $1 }
        case .movedOut:
            folder.move(.remote, "a/b/c/1", "f/1")
            left["f/1"] = 1
        case .movedIn:
            folder.move(.remote, "f/4", "a/e/4")
            left.merge(["a": 0, "a/e": 0, "a/e/4": 4]) { $1 }
            left["f/4"] = nil
        case .deleted:
            folder.delete(.remote, "a/b/c/1")
        case .newDirectory:
            folder.makeDirectory(.remote, "a/e/g")
            left.merge(["a": 0, "a/e": 0, "a/e/g": 0]) { $1 }
        }
        try folder.finish()
        // It is listed again before anything else is removed.
        let first = folder.effects.firstIndex { if case .remove(.remote, _, _, _) = $0 { true } else { false } }
        let listed = folder.effects[..<(first ?? 0)].compactMap { effect in
            if case .listDirectory(.remote, let path, _) = effect { "\(path)" } else { nil }
        }
        #expect(listed.contains("a/b/c") || listed.contains("a/e"))
        #expect(removed(folder).filter { $0.hasSuffix("*") } == ["a*"])
        #expect(removed(folder).contains("a/b/d/2"))
        try expectRest(&folder, left)
    }

    @Test(
        "a file that was moved out of it here is moved, and is the reason to remove the rest of its directories by parts"
    )
    func movedOut() throws {
        var folder = try agreed()
        folder.move(.local, "a/b/c/1", "f/1")
        folder.delete(.local, "a")
        try folder.sync()
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 0)
        let whole = removed(folder).filter { $0.hasSuffix("*") }
        #expect(Set(whole).isDisjoint(with: ["a*", "a/b*", "a/b/c*"]))
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4, "f/1": 1])
    }

    @Test("a directory that was moved out of it here is moved with what is in it")
    func movedDirectoryOut() throws {
        var folder = try agreed()
        folder.move(.local, "a/b", "f/b")
        folder.delete(.local, "a")
        try folder.sync()
        #expect(folder.count { if case .stage = $0 { true } else { false } } == 0)
        try expectRest(
            &folder, ["5": 5, "f": 0, "f/4": 4, "f/b": 0, "f/b/c": 0, "f/b/c/1": 1, "f/b/d": 0, "f/b/d/2": 2])
    }

    @Test("what is not synced stays, with the directories that hold it; the others go")
    func excluded() throws {
        var folder = try agreed(excluding: ["*.tmp"]) { $0.write(.remote, "a/e/x.tmp", 7) }
        folder.delete(.local, "a")
        try folder.sync()
        #expect(removed(folder).sorted() == ["a/b*", "a/e/3"])
        #expect(folder.contents(.remote) == ["5": 5, "a": 0, "a/e": 0, "a/e/x.tmp": 7, "f": 0, "f/4": 4])
    }

    @Test("a change that was seen before is no reason to ask at all")
    func seenBefore() throws {
        var folder = try agreed()
        folder.write(.remote, "a/b/c/1", 9)
        folder.delete(.local, "a")
        try folder.sync()
        #expect(!removed(folder).contains { ["a*", "a/b*", "a/b/c*"].contains($0) })
        try expectRest(
            &folder, ["5": 5, "a": 0, "a/b": 0, "a/b/c": 0, "a/b/c/1": 9, "f": 0, "f/4": 4])
    }

    @Test(
        "what the remote has and this computer could not get yet survives, although the tags are known",
        arguments: ["a/b/c/1", "a/b/d/2", "a/e/3", "a/b/c/new", "a/e/new"])
    func notHereYet(path: String) throws {
        var folder = try agreed()
        folder.answer = { effect in
            guard case .publish(_, .local, _, _, _) = effect else { return nil }
            return .failed(EffectFailure(.noSpace, "There is no room."))
        }
        folder.write(.remote, path, 9)
        try folder.sync()
        try folder.pass(seconds: 10)
        for _ in 0..<2 { try folder.sync() }
        #expect(folder.contents(.local)[path] != 9)
        folder.answer = { _ in nil }
        folder.forgetEffects()
        folder.delete(.local, "a")
        try folder.sync()
        #expect(!removed(folder).contains("a*"))
        var left = ["5": 5, "f": 0, "f/4": 4, path: 9]
        let names = path.split(separator: "/")
        for depth in 1..<names.count { left[names[..<depth].joined(separator: "/")] = 0 }
        try expectRest(&folder, left)
    }

    @Test("an empty directory that was moved out of it here is moved")
    func movedEmptyOut() throws {
        var folder = try agreed { $0.makeDirectory(.local, "g") }
        folder.move(.local, "g", "a/e/g")
        try folder.sync()
        try folder.pass(seconds: 10)
        for _ in 0..<2 { try folder.sync() }
        folder.forgetEffects()
        // It waits for the directory that it was moved to, and nothing is being done for itself.
        folder.makeDirectory(.local, "h")
        folder.move(.local, "a/e/g", "h/g")
        folder.delete(.local, "a")
        try folder.sync()
        #expect(folder.count { if case .move = $0 { true } else { false } } == 1)
        #expect(!removed(folder).contains { ["a*", "a/e*"].contains($0) })
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4, "h": 0, "h/g": 0])
    }

    /// What passes: the remote is asked again. Everything else is a reason to remove each item by itself.
    private static let passing: [EffectFailure.Reason] = [.putOff, .unreachable]

    @Test("a remote that does not do it loses each item by itself, and no error is shown", arguments: [false, true])
    func refused(isCarriedOut: Bool) throws {
        for reason in EffectFailure.Reason.allCases where reason != .notMounted && !Self.passing.contains(reason) {
            var folder = try agreed()
            folder.answer = { effect in
                guard case .removeTree = effect else { return nil }
                return .failed(EffectFailure(reason, "It does not do that."))
            }
            folder.delete(.local, "a")
            if isCarriedOut { folder.delete(.remote, "a") }
            try folder.sync()
            try folder.pass(seconds: 200)
            if !isCarriedOut {
                #expect(folder.count { if case .removeTree = $0 { true } else { false } } == 1, "\(reason)")
            }
            #expect(!folder.activities.contains { $0.kind == .error }, "\(reason)")
            try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
        }
    }

    @Test("a remote that cannot do it now is asked again, after growing pauses, and nothing goes by itself")
    func putOff() throws {
        for reason in Self.passing {
            var folder = try agreed()
            let answer: (Effect) -> EffectResult? = { effect in
                guard case .removeTree = effect else { return nil }
                return .failed(EffectFailure(reason, "Not now."))
            }
            folder.answer = answer
            folder.delete(.local, "a")
            try folder.sync()
            let asked = { (folder: SimulatedFolder) in
                folder.count { if case .removeTree = $0 { true } else { false } }
            }
            let first = asked(folder)
            #expect(1...2 ~= first, "\(reason)")
            try folder.pass(seconds: 100)
            #expect(asked(folder) > first && asked(folder) < 60, "\(reason) \(asked(folder))")
            #expect(removed(folder).allSatisfy { $0 == "a*" }, "\(reason)")
            #expect(!folder.activities.contains { $0.kind == .error }, "\(reason)")
            if reason == .putOff { #expect(try !folder.reasons().isEmpty) }
            folder.answer = { _ in nil }
            try folder.pass(seconds: 1_000)
            try folder.sync()
            #expect(removed(folder).allSatisfy { $0 == "a*" }, "\(reason)")
            try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
        }
    }

    @Test("one with too many items goes by its directories", arguments: [7, 8])
    func large(treeLimit: Int) throws {
        var folder = try agreed(treeLimit: treeLimit)
        folder.delete(.local, "a")
        try folder.sync()
        #expect(treeLimit == 8 ? removed(folder) == ["a*"] : removed(folder).sorted() == ["a", "a/b*", "a/e*"])
        #expect(folder.summary.deletedRemote == 8)
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
    }

    @Test("what is being done for an item in it ends first, and it goes at once then")
    func underWay() throws {
        var folder = try agreed()
        folder.write(.local, "a/e/3", 3)
        folder.isHeld = { effect in if case .hashFile = effect { true } else { false } }
        try folder.sync()
        folder.delete(.local, "a")
        try folder.sync()
        #expect(removed(folder).isEmpty)
        folder.isHeld = { _ in false }
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
        #expect(removed(folder) == ["a*"])
    }

    @Test("a restart before the remote has done it, or after, changes nothing", arguments: [false, true])
    func restarted(isDone: Bool) throws {
        var folder = try agreed()
        try holdRemoval(of: "a", &folder)
        if isDone { folder.delete(.remote, "a") }
        folder.forgetEffects()
        try folder.restart()
        #expect(isDone || removed(folder) == ["a*"])
        try expectRest(&folder, ["5": 5, "f": 0, "f/4": 4])
    }

    @Test("after a restart something new in it survives as well")
    func changedBeforeRestart() throws {
        var folder = try agreed()
        try holdRemoval(of: "a", &folder)
        folder.write(.remote, "a/e/new", 9)
        try folder.restart()
        try expectRest(&folder, ["5": 5, "a": 0, "a/e": 0, "a/e/new": 9, "f": 0, "f/4": 4])
    }

    @Test("so many deletions wait for the person as ever, and those of the last hour count")
    func confirmed() throws {
        var folder = try agreed((0..<30).map { "a/b/\($0)" } + (0..<15).map { "c/\($0)" } + ["d/1"])
        folder.delete(.local, "c")
        try folder.sync()
        #expect(removed(folder) == ["c*"])
        folder.forgetEffects()
        folder.delete(.local, "a")
        try folder.sync()
        guard case .confirmDeletes(let count, .remote) = folder.status?.phase else {
            return #expect(Bool(false), "nothing was asked: \(String(describing: folder.status))")
        }
        #expect(count == 32 && folder.status?.deletedBefore == 16)
        #expect(removed(folder).isEmpty)
        try folder.command(.confirmDeletes)
        #expect(removed(folder) == ["a*"])
        try expectRest(&folder, ["d": 0, "d/1": 46])
    }

    @Test("what is put back instead comes back")
    func putBack() throws {
        var folder = try agreed((0..<30).map { "a/b/\($0)" } + ["d/1"])
        folder.delete(.local, "a")
        try folder.sync()
        try folder.command(.restoreDeleted)
        #expect(removed(folder).isEmpty)
        #expect(folder.contents(.local).count == 34 && folder.contents(.remote).count == 34)
    }

    @Test("a new directory of the same name waits for it, and comes then")
    func anew() throws {
        var folder = try agreed()
        try holdRemoval(of: "a", &folder)
        folder.write(.local, "a/b/new", 9)
        try expectRest(&folder, ["5": 5, "a": 0, "a/b": 0, "a/b/new": 9, "f": 0, "f/4": 4])
    }

    @Test("a directory that was deleted, brought back and deleted again goes at once the second time as well")
    func again() throws {
        var folder = try agreed()
        try holdRemoval(of: "a", &folder)
        folder.write(.remote, "a/e/3", 9)
        try expectRest(&folder, ["5": 5, "a": 0, "a/e": 0, "a/e/3": 9, "f": 0, "f/4": 4])
        try folder.pass(seconds: 10)
        for _ in 0..<2 { try folder.sync() }
        folder.forgetEffects()
        folder.delete(.local, "a")
        try folder.sync()
        #expect(removed(folder) == ["a*"])
    }
}
