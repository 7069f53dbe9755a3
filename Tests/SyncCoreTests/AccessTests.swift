import SimulatedWorld
import Testing

@testable import SyncCore

/// What a server does not let its user do.
@Suite("Read-only at the remote")
struct AccessTests {
    private static let readOnly = ItemAccess([.share, .isShared], sharedBy: "Ana")

    /// A folder with a file of this computer's own, and a shared directory with two files.
    private func folder() throws -> SimulatedFolder {
        var folder = SimulatedFolder(remoteKeepsPermissions: false, tellsAccess: true)
        folder.pace = 1_000_000
        for (path, content) in [("own", 1), ("shared/a", 2), ("shared/b", 3)] { folder.write(.remote, path, content) }
        try folder.sync()
        try folder.pass(seconds: 10)
        folder.setPermissions(.local, "shared/a", 0o664)
        folder.setPermissions(.local, "shared", 0o775)
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private func modes(_ folder: SimulatedFolder) -> [String?] {
        ["own", "shared", "shared/a", "shared/b"].map { folder.permissions(.local, $0) }
    }

    private static let writable = ["644", "775", "664", "644"]

    @Test("It is read-only here as well, and gets back what it had; nothing is transferred for that")
    func readOnly() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        #expect(modes(folder) == ["644", "555", "444", "444"])
        #expect(try folder.presentation("shared/a")?.marks == [.shared, .readOnly])
        #expect(try folder.state("shared/a") == .synced)
        folder.allow(nil, "shared")
        try folder.sync()
        #expect(modes(folder) == Self.writable)
        #expect(try folder.presentation("shared/a")?.marks == [])
        #expect(folder.count { $0.footprint.has(.stage) } == 0)
        #expect(folder.count { $0.footprint.side == .remote && $0.footprint.isChange } == 0)
    }

    @Test("It gets back what it had after a new start in between")
    func restarted() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        try folder.restart()
        folder.allow(nil, "shared")
        try folder.sync()
        #expect(modes(folder) == Self.writable)
    }

    @Test("After a lost database the remote is still followed, and the owner may write when it may be written")
    func forgotten() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.store.lose()
        try folder.restart()
        try folder.sync()
        #expect(modes(folder) == ["644", "555", "444", "444"])
        folder.write(.remote, "shared/a", 30)
        folder.write(.remote, "shared/new", 31)
        folder.delete(.remote, "shared/b")
        try folder.sync()
        #expect(folder.contents(.local) == ["own": 1, "shared": 0, "shared/a": 30, "shared/new": 31])
        #expect(folder.permissions(.local, "shared") == "555")
        folder.allow(nil, "shared")
        try folder.sync()
        #expect(folder.permissions(.local, "shared") == "755" && folder.permissions(.local, "shared/new") == "644")
    }

    @Test("What arrives read-only is so from the beginning, and writable when it may be")
    func arrives() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        folder.write(.remote, "shared/new/c", 4)
        try folder.sync()
        func modes() -> [String?] { ["shared/new", "shared/new/c"].map { folder.permissions(.local, $0) } }
        #expect(modes() == ["555", "444"])
        folder.allow(nil, "shared")
        try folder.sync()
        #expect(modes() == ["755", "644"])
    }

    @Test("It is noticed in everything that is shared, although the tags in it stay the same")
    func deep() throws {
        var folder = SimulatedFolder(remoteKeepsPermissions: false, tagsDirectories: true, tellsAccess: true)
        folder.write(.remote, "shared/in/it/a", 1)
        try folder.sync()
        folder.allow(Self.readOnly, "shared")
        folder.write(.remote, "news", 2)
        try folder.sync()
        #expect(folder.permissions(.local, "shared/in/it/a") == "444")
        #expect(folder.permissions(.local, "shared/in") == "555")
    }

    @Test("Flags alone change nothing")
    func flags() throws {
        var folder = try folder()
        folder.allow(ItemAccess(ItemAccess.Facts.all.union([.isShared, .isLocked]), lockedBy: "Ben"), "shared")
        try folder.sync()
        #expect(folder.mutations == 0 && folder.count { $0.footprint.has(.read) } == 0)
        #expect(try folder.presentation("shared/a")?.marks == [.shared, .locked])
        #expect(try folder.presentation("own")?.marks == [])
        #expect(modes(folder) == Self.writable)
    }

    @Test("Who takes the permission to write from what may be written keeps it so")
    func ownChoice() throws {
        var folder = try folder()
        folder.setPermissions(.local, "shared/a", 0o440)
        try folder.sync()
        #expect(folder.permissions(.local, "shared/a") == "440")
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.allow(nil, "shared")
        try folder.sync()
        #expect(folder.permissions(.local, "shared/a") == "440")
    }

    @Test("Who makes a read-only file private keeps it so, and nobody gets more than before")
    func closed() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.setPermissions(.local, "shared/a", 0o600)
        try folder.sync()
        #expect(folder.permissions(.local, "shared/a") == "400")
        folder.allow(nil, "shared")
        try folder.sync()
        #expect(folder.permissions(.local, "shared/a") == "600")
    }

    @Test("What is changed nevertheless is kept beside it, is not uploaded, and says why")
    func changed() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.setPermissions(.local, "shared/a", 0o644)
        folder.write(.local, "shared/a", 20)
        try folder.sync()
        try folder.pass(seconds: 600)
        try folder.sync()
        let here = folder.contents(.local)
        #expect(here["shared/a"] == 2 && here.values.contains(20))
        #expect(folder.contents(.remote) == ["own": 1, "shared": 0, "shared/a": 2, "shared/b": 3])
        #expect(folder.permissions(.local, "shared/a") == "444")
        #expect(folder.count { if case .stage(_, .local, _, _) = $0 { true } else { false } } == 0)
        let copy = try #require(here.first { $0.value == 20 }?.key)
        #expect(try folder.words(copy)?.code == .readOnlyDirectory)
        #expect(try folder.words(copy)?.arguments == [copy, "shared", "Ana"])
        let conflict = folder.activities.first { $0.kind == .conflict }
        #expect(conflict.map { Explanation(stored: $0.detail).code } == .readOnlyFile)
        folder.allow(nil, "shared")
        try folder.pass(seconds: 600)
        try folder.sync()
        #expect(folder.contents(.remote)[copy] == 20)
    }

    @Test("What is new in a read-only directory waits there, is not uploaded, and goes when it may")
    func new() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.write(.local, "shared/mine/c", 5)
        try folder.sync()
        try folder.pass(seconds: 600)
        #expect(try folder.words("shared/mine")?.code == .readOnlyDirectory)
        #expect(folder.count { $0.footprint.side == .remote && $0.footprint.isChange } == 0)
        #expect(folder.count { $0.footprint.has(.stage) } == 0)
        folder.allow(nil, "shared")
        try folder.sync()
        try folder.pass(seconds: 600)
        try folder.sync()
        #expect(folder.contents(.remote)["shared/mine/c"] == 5)
    }

    @Test("What may not be deleted comes back, and says why", arguments: [false, true])
    func deleted(isTagged: Bool) throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.delete(.local, isTagged ? "shared" : "shared/a")
        try folder.sync()
        try folder.command(.confirmDeletes)
        try folder.sync()
        #expect(folder.contents(.local) == folder.contents(.remote) && folder.contents(.local).count == 4)
        #expect(folder.permissions(.local, "shared/a") == "444")
        let reasons = folder.activities.filter { $0.kind == .notKept }.map { Explanation(stored: $0.detail) }
        #expect(reasons.contains(Explanation(.notDeletable, .remote, "shared/a", "Ana")))
        #expect(folder.count { $0.footprint.side == .remote && $0.footprint.isChange } == 0)
    }

    @Test("What may not be moved goes back to its place, and says why", arguments: ["shared/c", "c"])
    func moved(to place: String) throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.move(.local, "shared/a", place)
        try folder.sync()
        #expect(folder.contents(.local) == ["own": 1, "shared": 0, "shared/a": 2, "shared/b": 3])
        let reasons = folder.activities.filter { $0.kind == .notKept }.map { Explanation(stored: $0.detail) }
        #expect(reasons.contains(Explanation(.notMovable, .remote, "shared/a", "Ana")))
        #expect(folder.count { $0.footprint.side == .remote && $0.footprint.isChange } == 0)
    }

    @Test("What others move is followed, and nothing is said of it")
    func movedByOthers() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.move(.remote, "shared/a", "shared/c")
        try folder.sync()
        #expect(folder.contents(.local) == ["own": 1, "shared": 0, "shared/b": 3, "shared/c": 2])
        #expect(!folder.activities.contains { $0.kind == .notKept })
    }

    @Test("What is moved into a read-only directory goes back")
    func movedInto() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.move(.local, "own", "shared/own")
        try folder.sync()
        #expect(folder.contents(.local) == ["own": 1, "shared": 0, "shared/a": 2, "shared/b": 3])
        #expect(folder.count { $0.footprint.side == .remote && $0.footprint.isChange } == 0)
    }

    @Test("What changes at the remote comes into directories that are opened for it")
    func remoteChanges() throws {
        var folder = try folder()
        folder.allow(Self.readOnly, "shared")
        try folder.sync()
        folder.forgetEffects()
        folder.write(.remote, "shared/a", 30)
        folder.write(.remote, "shared/new", 31)
        folder.delete(.remote, "shared/b")
        try folder.sync()
        #expect(folder.contents(.local) == ["own": 1, "shared": 0, "shared/a": 30, "shared/new": 31])
        let shared = RelativePath(try [#require(EntryName("shared"))])
        #expect(folder.count { if case .opening([shared], _) = $0 { true } else { false } } == 3)
        #expect(folder.permissions(.local, "shared/a") == "444" && folder.permissions(.local, "shared") == "555")
        folder.write(.remote, "own", 32)
        try folder.sync()
        #expect(folder.count { if case .opening = $0 { true } else { false } } == 3)
    }

    @Test("A refusal that nothing announced is learnt from, and tried once")
    func unannounced() throws {
        var folder = try folder()
        folder.write(.local, "shared/a", 40)
        folder.write(.local, "shared/c", 41)
        // Nothing at the remote is listed before the refusal.
        folder.allow(Self.readOnly, "shared")
        try folder.notice(.local, ["shared/a", "shared/c"])
        try folder.pass(seconds: 3_600)
        #expect(folder.count { if case .stage(_, .local, _, _) = $0 { true } else { false } } == 2)
        #expect(folder.contents(.local)["shared/a"] == 2 && folder.contents(.local).values.contains(40))
        #expect(try folder.words("shared/c")?.code == .readOnlyDirectory)
    }

    @Test("A stored form gives the same again, and a damaged one nothing")
    func stored() {
        for access in [ItemAccess([]), Self.readOnly, ItemAccess(.all, sharedBy: "Ä", lockedBy: "Ben")] {
            #expect(ItemAccess(bytes: access.bytes) == access)
        }
        #expect(ItemAccess(bytes: [1]) == nil && ItemAccess(bytes: [1, 0, 9, 0]) == nil)
    }
}
