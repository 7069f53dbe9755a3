import SimulatedWorld
import SyncCore
import Testing

/// A remote that tells of each directory a tag which changes with all that is in it, however deep.
@Suite("Directories of which the tag is known are not listed") struct DirectoryTagTests {
    /// A folder in which both sides agree and everything was looked at.
    private func agreed(_ paths: [String], excluding excludes: [String] = []) throws -> SimulatedFolder {
        var folder = SimulatedFolder(excludes: excludes, tagsDirectories: true)
        for (content, path) in paths.enumerated() { folder.write(.local, path, content + 1) }
        try folder.sync()
        try folder.pass(seconds: 10)
        // What was written a moment ago could still be written unseen; it is known for certain from the next look on.
        for _ in 0..<2 { try folder.sync() }
        folder.forgetEffects()
        return folder
    }

    /// The directories of the remote that were listed, since the effects were forgotten.
    private func listed(_ folder: inout SimulatedFolder) -> Set<String> {
        defer { folder.forgetEffects() }
        return Set(
            folder.effects.compactMap { effect in
                guard case .listDirectory(.remote, let path, _) = effect else { return nil }
                return "\(path)"
            })
    }

    private static let paths = ["a/b/c/1", "a/b/d/2", "a/e/3", "f/4", "5"]

    @Test("where nothing changed nothing is listed, after a restart as well")
    func unchanged() throws {
        var folder = try agreed(Self.paths)
        try folder.sync()
        #expect(listed(&folder).isEmpty)
        try folder.restart()
        #expect(listed(&folder).isEmpty)
    }

    @Test("of what changed only the way to it is listed, and nothing the next time")
    func changed() throws {
        var folder = try agreed(Self.paths)
        folder.write(.remote, "a/b/c/1", 9)
        try folder.sync()
        #expect(folder.contents(.local)["a/b/c/1"] == 9)
        #expect(listed(&folder) == ["", "a", "a/b", "a/b/c"])
        try folder.pass(seconds: 10)
        for _ in 0..<2 { try folder.sync() }
        _ = listed(&folder)
        try folder.sync()
        #expect(listed(&folder).isEmpty)
    }

    @Test("what changes while the tag is asked for is looked for in the next answer")
    func changedMeanwhile() throws {
        var folder = try agreed(Self.paths)
        folder.isHeld = { effect in if case .probeRoots = effect { true } else { false } }
        try folder.sync()
        try folder.finishHeld(firstToldFirst: true) { folder, _ in
            folder.write(.remote, "a/b/c/1", 9)
            try folder.overflow(.remote, untilListed: 0)
        }
        folder.isHeld = { _ in false }
        try folder.finish()
        #expect(folder.contents(.local)["a/b/c/1"] == 9)
    }

    @Test("a moved directory is moved, and only where it was and is it is looked at")
    func moved() throws {
        var folder = try agreed(Self.paths)
        folder.move(.remote, "a/b", "f/b")
        try folder.sync()
        #expect(folder.contents(.local)["f/b/c/1"] == 1 && folder.contents(.local)["a/b"] == nil)
        #expect(folder.mutations == 1)
        #expect(listed(&folder).isDisjoint(with: ["a/e", "a/b", "a/b/c", "a/b/d"]))
    }

    @Test("what was moved away and back is where it was, though the tags are those of before")
    func movedBack() throws {
        var folder = try agreed(Self.paths)
        folder.move(.remote, "a/b/c", "f/c")
        try folder.sync()
        #expect(folder.contents(.local)["f/c/1"] == 1)
        folder.move(.remote, "f/c", "a/b/c")
        try folder.sync()
        #expect(folder.contents(.local)["a/b/c/1"] == 1 && folder.contents(.local)["f/c"] == nil)
    }

    @Test(
        "deletions that were not decided on are not forgotten over the tags of what is left", arguments: [false, true])
    func missing(isRestarted: Bool) throws {
        var folder = try agreed((0..<30).map { "a/b/\($0)" } + ["c/d"])
        for number in 0..<29 { folder.delete(.remote, "a/b/\(number)") }
        try folder.sync()
        #expect(folder.status?.phase == .confirmDeletes(count: 29, side: .local))
        try folder.sync()
        if isRestarted { try folder.restart() }
        #expect(folder.status?.phase == .confirmDeletes(count: 29, side: .local))
        try folder.command(.confirmDeletes)
        #expect(folder.contents(.local).keys.sorted() == ["a", "a/b", "a/b/29", "c", "c/d"])
    }

    @Test("an emptied remote is asked about after a restart as before")
    func emptied() throws {
        var folder = try agreed(Self.paths)
        for path in ["a", "f", "5"] { folder.delete(.remote, path) }
        try folder.sync()
        guard case .confirmDeletes = folder.status?.phase else { return #expect(Bool(false), "nothing was asked") }
        try folder.sync()
        try folder.restart()
        guard case .confirmDeletes = folder.status?.phase else { return #expect(Bool(false), "nothing is asked") }
        #expect(folder.contents(.local).count == 11)
    }

    @Test("where other names are synced everything is looked at again", arguments: [false, true])
    func otherExcludes(isRestarted: Bool) throws {
        var folder = try agreed(Self.paths)
        if isRestarted {
            try folder.restart(excluding: ["3"])
        } else {
            try folder.command(.setExcludes(ExcludePatterns([Array("3".utf8)])))
        }
        #expect(listed(&folder).isSuperset(of: ["", "a", "a/e", "f"]))
        folder.write(.remote, "a/e/3", 7)
        try folder.sync()
        try folder.sync()
        #expect(folder.contents(.local)["a/e/3"] == 3)
        if isRestarted {
            try folder.restart(excluding: [])
        } else {
            try folder.command(.setExcludes(ExcludePatterns()))
        }
        #expect(folder.contents(.local)["a/e/3"] == 7)
    }

    @Test("what could not be listed is looked at again, and all that holds it")
    func unlisted() throws {
        var folder = SimulatedFolder(tagsDirectories: true)
        for (content, path) in Self.paths.enumerated() { folder.write(.remote, path, content + 1) }
        folder.answer = { effect in
            guard case .listDirectory(.remote, let path, _) = effect, "\(path)" == "a/b/c" else { return nil }
            return .failed(EffectFailure(.denied))
        }
        for _ in 0..<3 { try folder.sync() }
        #expect(folder.contents(.local)["a/b/c/1"] == nil && folder.contents(.local)["a/b/d/2"] == 2)
        folder.answer = { _ in nil }
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.contents(.local)["a/b/c/1"] == 1)
        #expect(listed(&folder).isSuperset(of: ["", "a", "a/b", "a/b/c"]))
    }

    @Test("after a restored remote, and without a base, everything is looked at")
    func restored() throws {
        var folder = try agreed(Self.paths)
        folder.restoreRemote()
        try folder.sync()
        #expect(listed(&folder).isSuperset(of: ["", "a", "a/b", "a/b/c", "a/b/d", "a/e", "f"]))
    }
}
