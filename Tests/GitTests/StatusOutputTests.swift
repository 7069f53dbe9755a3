import Testing

@testable import Git

/// What git prints, read and summed up.
@Suite struct StatusOutputTests {
    private static let id = "1111111111111111111111111111111111111111"

    private func status(_ lines: String...) -> StatusOutput {
        StatusOutput(Array(lines.map { $0 + "\0" }.joined().utf8))
    }

    private func changed(_ letters: String, _ path: String) -> String {
        "1 \(letters) N... 100644 100644 100644 \(Self.id) \(Self.id) \(path)"
    }

    private func states(_ output: StatusOutput, _ directory: String, _ names: String...) -> [FileState?] {
        let states = DirectoryStates(output.entries, in: Array(directory.utf8))
        return names.map { states.state(of: Array($0.utf8)) }
    }

    @Test("Each kind of line gives its state, also with spaces and line ends in the path")
    func kinds() {
        let output = status(
            changed(".M", "a b"), changed("M.", "staged"), changed("MM", "both"), changed(".D", "gone"),
            "2 R. N... 100644 100644 100644 \(Self.id) \(Self.id) R100 new\nname", "old name",
            "u UU N... 100644 100644 100644 100644 \(Self.id) \(Self.id) \(Self.id) fight", "? other", "! built/",
            "x unheard of")
        #expect(
            output.entries.map { String(decoding: $0.path, as: UTF8.self) }
                == ["a b", "staged", "both", "gone", "new\nname", "fight", "other", "built"])
        #expect(
            output.entries.map(\.state)
                == [.modified, .staged, .modified, .modified, .staged, .conflicted, .untracked, .ignored])
        #expect(output.entries.map(\.isDirectory) == [false, false, false, false, false, false, false, true])
        #expect(output.entries.map(\.isStaged) == [false, true, true, false, true, false, false, false])
        #expect(output.sum == .conflicted)
    }

    @Test("What is only meant to be added has no contents in the index")
    func intended() {
        let output = status(
            "1 .A N... 000000 000000 100644 \(Self.id) \(Self.id) meant", changed(".M", "a"), "? b")
        #expect(output.entries.map(\.isInIndex) == [false, true, true])
        #expect(output.entries.map(\.isModified) == [true, true, false])
    }

    @Test("Lines that are cut off are passed over")
    func damaged() {
        #expect(status("1 .M", "u UU N...", "?", "", "! ").entries.isEmpty)
        #expect(StatusOutput([UInt8]()).sum == .clean)
    }

    @Test("A directory has the worst state of all below it; one that holds something ignored is not ignored")
    func sums() {
        let output = status(
            changed(".M", "a/b/c"), changed("M.", "a/d"), "? e/f", changed("A.", "e/g"), "! h/i.o", "? new/")
        #expect(states(output, "", "a", "e", "h", "new", "z") == [.modified, .staged, .clean, .untracked, nil])
        #expect(states(output, "a", "b", "d", "x") == [.modified, .staged, nil])
        #expect(states(output, "h", "i.o") == [.ignored])
        #expect(DirectoryStates(output.entries, in: []).staged == [Array("a".utf8), Array("e".utf8)])
    }

    @Test("A name that another one begins with is another one")
    func names() {
        let output = status(changed(".M", "ab/c"), changed("M.", "a/d"))
        #expect(states(output, "a", "c", "d", "b") == [nil, .staged, nil])
        #expect(states(output, "", "a", "ab") == [.staged, .modified])
    }

    @Test("What is in a directory that git names as a whole has its state")
    func whole() {
        #expect(states(status("? new/"), "new/deep", "x") == [.untracked])
        #expect(states(status("! built/"), "built", "x") == [.ignored])
        #expect(states(status("? news/"), "new", "x") == [nil])
    }

    @Test("The branch, and how far it is from the one that it follows, in words")
    func branch() {
        func text(_ lines: String...) -> String? {
            StatusOutput(Array(lines.map { "# " + $0 + "\0" }.joined().utf8)).branch?.text
        }
        let head = "branch.head main"
        let upstream = "branch.upstream origin/main"
        #expect(text("branch.oid (initial)", head) == "main")
        #expect(text(head, upstream, "branch.ab +0 -0") == "main: the same as origin/main")
        #expect(text(head, upstream, "branch.ab +1 -0") == "main: 1 commit ahead of origin/main")
        #expect(text(head, upstream, "branch.ab +0 -2") == "main: 2 commits behind origin/main")
        #expect(text(head, upstream, "branch.ab +1 -2") == "main: 1 ahead of origin/main, 2 behind")
        #expect(text("branch.oid 11", "branch.head (detached)") == "No branch is checked out")
        #expect(status("? a").branch == nil)
    }
}
