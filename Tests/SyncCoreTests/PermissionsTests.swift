import SimulatedWorld
import Testing

@testable import SyncCore

@Suite("Permissions")
struct PermissionsTests {
    // MARK: What both sides come to

    /// Modes on both sides when they agreed last and now, and what each is to have.
    struct Row: CustomTestStringConvertible, Sendable {
        var agreed: (Int, Int)?
        var now: (Int, Int)
        var wanted: (Int, Int)
        var kind = EntryKind.file
        var testDescription: String
    }

    private static let table: [Row] = [
        Row(agreed: (0o644, 0o644), now: (0o600, 0o644), wanted: (0o600, 0o600), testDescription: "closed here"),
        Row(agreed: (0o600, 0o600), now: (0o644, 0o600), wanted: (0o644, 0o600), testDescription: "opened to others"),
        Row(agreed: (0o644, 0o644), now: (0o444, 0o644), wanted: (0o444, 0o444), testDescription: "read-only here"),
        Row(agreed: (0o444, 0o440), now: (0o444, 0o640), wanted: (0o644, 0o640), testDescription: "writable there"),
        Row(agreed: (0o644, 0o644), now: (0o755, 0o644), wanted: (0o755, 0o755), testDescription: "executable here"),
        Row(agreed: (0o644, 0o600), now: (0o755, 0o600), wanted: (0o755, 0o700), testDescription: "only for readers"),
        Row(agreed: (0o755, 0o755), now: (0o755, 0o644), wanted: (0o644, 0o644), testDescription: "not any more"),
        Row(agreed: (0o644, 0o644), now: (0o600, 0o755), wanted: (0o700, 0o700), testDescription: "closed and opened"),
        Row(agreed: (0o644, 0o644), now: (0o444, 0o200), wanted: (0o000, 0o000), testDescription: "closed on both"),
        Row(agreed: (0o664, 0o644), now: (0o664, 0o644), wanted: (0o664, 0o644), testDescription: "agreed to differ"),
        Row(agreed: nil, now: (0o755, 0o644), wanted: (0o755, 0o755), testDescription: "never agreed: executable"),
        Row(agreed: nil, now: (0o600, 0o444), wanted: (0o400, 0o444), testDescription: "never agreed: the closer"),
        Row(
            agreed: (0o755, 0o755), now: (0o755, 0o500), wanted: (0o500, 0o500), kind: .directory,
            testDescription: "a directory closed there"),
        Row(
            agreed: (0o700, 0o700), now: (0o755, 0o700), wanted: (0o755, 0o700), kind: .directory,
            testDescription: "a directory opened to others"),
    ]

    private func merged(_ agreed: (Int, Int)?, _ now: (Int, Int), _ kind: EntryKind) -> (Permissions, Permissions) {
        let mine = Permissions.Course(agreed: agreed.map { Permissions($0.0) }, now: Permissions(now.0))
        let theirs = Permissions.Course(agreed: agreed.map { Permissions($0.1) }, now: Permissions(now.1))
        return (.merged(mine, with: theirs, kind: kind), .merged(theirs, with: mine, kind: kind))
    }

    @Test("each side gets what was closed or opened on the other", arguments: table)
    func row(_ row: Row) {
        let (mine, theirs) = merged(row.agreed, row.now, row.kind)
        #expect(mine == Permissions(row.wanted.0) && theirs == Permissions(row.wanted.1))
    }

    @Test("carried out on one side, then on the other, it comes to rest; nothing is opened to others but executing")
    func comesToRest() {
        var random = SystemRandomNumberGenerator()
        func mode() -> Int { Int.random(in: 0...0o777, using: &random) }
        for _ in 0..<20_000 {
            let agreed = Bool.random(using: &random) ? (mode(), mode()) : nil
            let now = (mode(), mode())
            let kind: EntryKind = Bool.random(using: &random) ? .file : .directory
            let (mine, theirs) = merged(agreed, now, kind)
            let half = merged(agreed, (Int(mine.bits), now.1), kind)
            let whole = merged(agreed, (Int(mine.bits), Int(theirs.bits)), kind)
            let later = merged((Int(mine.bits), Int(theirs.bits)), (Int(mine.bits), Int(theirs.bits)), kind)
            for other in [half, whole, later] {
                #expect(other == (mine, theirs), "\(String(describing: agreed)) \(now) \(kind)")
            }
            for (wanted, before) in [(mine, now.0), (theirs, now.1)] {
                #expect(wanted.subtracting(Permissions(before)).bits & 0o066 == 0)
            }
            if agreed.map({ $0.0 & 0o700 == $0.1 & 0o700 }) ?? true {
                #expect(mine.bits & 0o700 == theirs.bits & 0o700)
            }
        }
    }

    // MARK: What a session does

    private func synced(_ modes: [String: Int]) throws -> SimulatedFolder {
        var folder = SimulatedFolder()
        for (path, mode) in modes.sorted(by: { $0.key < $1.key }) {
            folder.write(.local, path, 1)
            folder.setPermissions(.local, path, mode)
        }
        try folder.sync()
        try folder.sync()
        folder.forgetEffects()
        return folder
    }

    private func transfers(_ folder: SimulatedFolder) -> Int {
        folder.count { if case .stage = $0 { true } else { false } }
    }

    @Test(
        "a directory that is made anew has its own permissions, whatever the deleted one had", arguments: Side.allCases)
    func directoryMadeAnew(side: Side) throws {
        var folder = SimulatedFolder()
        folder.makeDirectory(side, "d")
        folder.setPermissions(side, "d", 0o555)
        try folder.sync()
        try folder.sync()
        folder.delete(side, "d")
        // It counts as deleted before anything is done on the other side.
        folder.isHeld = { effect in if case .remove = effect { true } else { false } }
        try folder.notice(side, ["d"])
        folder.makeDirectory(side, "d")
        folder.setPermissions(side, "d", 0o700)
        try folder.restart()
        #expect(folder.permissions(side, "d") == "700" && folder.permissions(side.other, "d") == "700")
    }

    @Test("what is private arrives private", arguments: Side.allCases)
    func newItems(side: Side) throws {
        var folder = SimulatedFolder()
        folder.write(side, "d/secret", 1)
        folder.write(side, "script", 2)
        folder.setPermissions(side, "d", 0o700)
        folder.setPermissions(side, "d/secret", 0o600)
        folder.setPermissions(side, "script", 0o750)
        try folder.sync()
        #expect(folder.permissions(side.other, "d") == "700" && folder.permissions(side.other, "d/secret") == "600")
        #expect(folder.permissions(side.other, "script") == "750")
        folder.forgetEffects()
        try folder.sync()
        try folder.restart()
        #expect(folder.mutations == 0)
    }

    @Test(
        "a change of permissions travels without a transfer, and is not one of the contents", arguments: Side.allCases)
    func changes(side: Side) throws {
        var folder = try synced(["a": 0o644, "d/b": 0o644])
        folder.setPermissions(side, "a", 0o700)
        folder.setPermissions(side, "d", 0o500)
        try folder.sync()
        #expect(folder.permissions(side.other, "a") == "700" && folder.permissions(side.other, "d") == "500")
        #expect(folder.summary.permissions == 2 && folder.mutations == 2)
        #expect(folder.summary.uploaded + folder.summary.downloaded == 0 && transfers(folder) == 0)
        folder.forgetEffects()
        try folder.sync()
        try folder.restart()
        #expect(folder.mutations == 0)
        #expect(try folder.state("a") == .synced)
    }

    @Test("changed on both sides: what was closed on either stays closed")
    func changedOnBoth() throws {
        var folder = try synced(["a": 0o644])
        folder.setPermissions(.local, "a", 0o600)
        folder.setPermissions(.remote, "a", 0o755)
        try folder.sync()
        #expect(folder.permissions(.local, "a") == "700" && folder.permissions(.remote, "a") == "700")
        #expect(transfers(folder) == 0 && folder.summary.conflicts == 0)
    }

    @Test("contents that became private are never published to more than may read them")
    func editedAndClosed() throws {
        var folder = try synced(["a": 0o644])
        folder.setPermissions(.local, "a", 0o600)
        folder.write(.local, "a", 2)
        try folder.sync()
        #expect(folder.contents(.remote) == ["a": 2] && folder.permissions(.remote, "a") == "600")
        #expect(
            folder.count { if case .publish(_, _, _, _, let mode) = $0 { mode == Permissions(0o600) } else { false } }
                == 1)
        #expect(folder.count { if case .setPermissions = $0 { true } else { false } } == 0)
    }

    @Test("edited here, its permissions changed there: both travel")
    func editedHereClosedThere() throws {
        var folder = try synced(["a": 0o644])
        folder.write(.local, "a", 2)
        folder.setPermissions(.remote, "a", 0o500)
        try folder.sync()
        #expect(folder.contents(.remote) == ["a": 2])
        #expect(folder.permissions(.remote, "a") == "500" && folder.permissions(.local, "a") == "500")
    }

    @Test("what takes the name of a private version in conflict is as private")
    func conflict() throws {
        var folder = try synced(["a.txt": 0o600])
        folder.write(.local, "a.txt", 2)
        folder.write(.remote, "a.txt", 3)
        folder.setPermissions(.remote, "a.txt", 0o644)
        try folder.sync()
        try folder.sync()
        let copy = try #require(folder.contents(.local).keys.first { $0 != "a.txt" })
        #expect(folder.contents(.local) == ["a.txt": 3, copy: 2])
        #expect(folder.permissions(.local, "a.txt") == "600" && folder.permissions(.local, copy) == "600")
        #expect(folder.permissions(.remote, copy) == "600")
        #expect(folder.permissions(.remote, "a.txt") == "644", "nobody opened it here")
    }

    @Test("a read-only directory is filled first")
    func readOnlyDirectory() throws {
        var folder = SimulatedFolder()
        folder.write(.local, "d/a", 1)
        folder.write(.local, "d/e/b", 2)
        folder.setPermissions(.local, "d", 0o555)
        try folder.sync()
        #expect(folder.permissions(.remote, "d") == "555")
        #expect(folder.contents(.remote) == ["d": 0, "d/a": 1, "d/e": 0, "d/e/b": 2])
        let closed = try #require(folder.effects.lastIndex { if case .setPermissions = $0 { true } else { false } })
        let filled = try #require(folder.effects.lastIndex { if case .publish = $0 { true } else { false } })
        #expect(filled < closed)
        #expect(folder.permissions(.local, "d") == "555")
    }

    @Test("a side that keeps no permissions gives none and takes none, and that is said once")
    func withoutPermissions() throws {
        var folder = SimulatedFolder(remoteKeepsPermissions: false)
        folder.write(.local, "secret", 1)
        folder.setPermissions(.local, "secret", 0o600)
        folder.write(.local, "other", 2)
        folder.setPermissions(.local, "other", 0o400)
        try folder.sync()
        folder.write(.remote, "secret", 3)
        folder.setPermissions(.local, "other", 0o755)
        try folder.sync()
        #expect(folder.contents(.local)["secret"] == 3 && folder.permissions(.local, "secret") == "600")
        #expect(folder.permissions(.local, "other") == "755")
        #expect(folder.activities.filter { $0.kind == .notKept }.map(\.path) == [.root])
        folder.forgetEffects()
        try folder.sync()
        try folder.restart()
        #expect(folder.mutations == 0)
    }

    @Test("what a side cannot set is said, and left alone")
    func refused() throws {
        var folder = try synced(["a": 0o644])
        folder.setPermissions(.local, "a", 0o400)
        folder.answer = { effect in
            guard case .setPermissions(_, _, _, let expected, _) = effect else { return nil }
            return .lacking(.wrote(expected), "It belongs to another user.")
        }
        try folder.sync()
        #expect(folder.activities.last?.kind == .notKept)
        #expect(folder.activities.last?.detail == "It belongs to another user.")
        #expect(folder.permissions(.local, "a") == "400" && folder.permissions(.remote, "a") == "644")
        #expect(try folder.state("a") == .synced)
        folder.forgetEffects()
        try folder.sync()
        #expect(folder.mutations == 0)
    }

    @Test("without a base nothing is opened but executing, and both sides agree")
    func union() throws {
        var folder = SimulatedFolder()
        for side in Side.allCases {
            folder.write(side, "a", 1)
            folder.write(side, "d/b", 2)
        }
        folder.setPermissions(.local, "a", 0o600)
        folder.setPermissions(.remote, "a", 0o555)
        folder.setPermissions(.remote, "d", 0o500)
        try folder.sync()
        #expect(folder.permissions(.local, "a") == "500" && folder.permissions(.remote, "a") == "555")
        #expect(folder.permissions(.local, "d") == "555" && folder.permissions(.remote, "d") == "500")
        #expect(transfers(folder) == 0)
    }
}
