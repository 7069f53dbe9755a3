import RoundelBus
import Testing

@testable import SyncService

@Suite("The menu with the ways out of a conflict")
struct ConflictMenuTests {
    private static let copy = "a%20%28conflict%202026-11-28%20063500%20desk%20K7QX%29"

    private func conflict(_ name: String = "a", kind: SyncConflict.Kind = .edits) -> SyncConflict {
        var conflict = SyncConflict(
            folder: "f", uri: "file:///s/\(name)", copyURI: "file:///s/\(Self.copy)\(name)", kind: WireWord(kind))
        (conflict.size, conflict.copySize) = (29_000, 1_000)
        return conflict
    }

    private func labels(
        _ conflicts: [SyncConflict], _ selection: [String], isServer: Bool = true, compares: Bool = true
    ) throws -> [String] {
        let menu = ConflictMenu(conflicts: conflicts, isServer: isServer, compares: compares, now: 0)
        let item = menu.item(try selection.map { try ItemURI($0) })
        return item?.children.map { "\($0.id): \($0.label)" } ?? []
    }

    @Test("D7: the version that was clicked comes first and is called this one, whichever it is")
    func clicked() throws {
        let one = conflict()
        let (mine, theirs) = ("from this computer, 1.0 kB", "from the server, 29.0 kB")
        let rest = ["resolve-both: Keep Both", "compare: Compare…"]
        #expect(
            try labels([one], [one.uri])
                == ["resolve-theirs: Keep This One (\(theirs))", "resolve-mine: Keep the Other One (\(mine))"] + rest)
        #expect(
            try labels([one], [one.copyURI])
                == ["resolve-mine: Keep This One (\(mine))", "resolve-theirs: Keep the Other One (\(theirs))"] + rest)
        #expect(
            try labels([one], [one.uri, one.copyURI])
                == ["resolve-mine: Keep the One \(mine)", "resolve-theirs: Keep the One \(theirs)"] + rest)
        #expect(
            try labels([one], [one.uri], isServer: false).first
                == "resolve-theirs: Keep This One (from the remote folder, 29.0 kB)")
    }

    @Test("D7: the server's version says who wrote it where that is known, and an account cannot forge words")
    func authors() throws {
        var one = conflict()
        one.author = "Ana Lopez"
        #expect(
            try labels([one], [one.uri]).first
                == "resolve-theirs: Keep This One (from the server, by Ana Lopez, 29.0 kB)")
        one.author = "A\u{202e}B\nC"
        let forged = try labels([one], [one.uri]).first ?? ""
        #expect(!forged.contains("\u{202e}") && !forged.contains("\n"))
        one.isOwnAuthor = true
        #expect(try labels([one], [one.uri]).first?.contains("from the server, by you, 29.0 kB") == true)
        #expect(try !labels([one], [one.uri])[1].contains("by you"))
    }

    @Test("A version says when it was changed, as far as that is known")
    func dates() throws {
        var one = conflict()
        (one.modified, one.size) = (0, nil)
        let label = try labels([one], [one.uri]).first ?? ""
        #expect(label.hasPrefix("resolve-theirs: Keep This One (from the server, today ") && !label.contains("kB"))
    }

    @Test("Nothing is compared where no program can, or where one version is a directory")
    func compare() throws {
        #expect(try labels([conflict()], ["file:///s/a"], compares: false).last == "resolve-both: Keep Both")
        #expect(try labels([conflict(kind: .type)], ["file:///s/a"]).last == "resolve-both: Keep Both")
    }

    @Test("D7: several conflicts are decided together by where the versions come from")
    func several() throws {
        #expect(
            try labels([conflict("a"), conflict("b")], ["file:///s/a", "file:///s/b"]) == [
                "resolve-mine: Keep the Versions from This Computer",
                "resolve-theirs: Keep the Versions from the Server", "resolve-both: Keep Both Versions of Each",
            ])
        #expect(try labels([], []) == [])
    }
}
