import DBus
import RoundelBus
import TestSupport
import Testing

/// The engine for git over the bus, with the real git.
@Suite struct GitTests {
    private let git: GitWorld

    init() throws { git = try GitWorld() }

    @Test("E8: the engine is off until a folder is added, and is found again after a restart of the service")
    func turnedOn() throws {
        let repo = try git.makeRepository("Repo", ["a": "1"])
        #expect(try git.roundel("providers").output.contains("disabled"))
        #expect(try git.host.folders().isEmpty && git.calls().isEmpty)
        #expect(try git.roundel("git").output.contains("roundel git add"))
        try git.write(repo, "deep/er", "2")
        #expect(try git.roundel("git", "add", repo + "/deep").status == 0)
        try git.host.awaitFolders([uri(repo)])
        let list = try git.roundel("git", "--json")
        #expect(list.status == 0 && list.output.contains("main") && list.output.contains(repo), "\(list)")
        #expect(try git.roundel("status", repo, "--json").output.value(of: "state") == "pending")
        try git.world.restartService()
        let host = try git.world.host()
        try host.awaitFolders([uri(repo)])
        #expect(try git.roundel("git", "remove", repo).status == 0)
        try host.awaitFolders([])
    }

    @Test("Each state has its badge, directories the worst of what is in them, and each change is told")
    func badges() throws {
        let repo = try git.makeRepository(
            "Repo", [".gitignore": "*.o\n", "clean": "1", "a/b/c": "1", "a/d": "1", "e/f": "1", "other": "1"])
        try Disk.makeDirectories(repo + "/empty")
        try git.write(repo, "a/b/c", "changed")
        try git.write(repo, "e/x.o", "1")
        try git.write(repo, "new/deep/file", "1")
        try git.write(repo, "staged", "1")
        try git.git(repo, "add", "staged")
        try git.add(repo)
        try git.host.begin(uri(repo))
        try git.await(
            repo,
            [
                "clean": "synced", "a": "git.modified", "e": "synced", "new": "git.untracked", "staged": "git.staged",
                "empty": "", ".git": "",
            ])
        let listed = try git.host.directory(uri(repo)).rows
        #expect(listed.map(\.name) == [".git", ".gitignore", "a", "clean", "e", "empty", "new", "other", "staged"])
        #expect(listed.first { $0.name == "a" }?.badge == "git.modified")
        for inner in ["a", "e", "new/deep"] { try git.host.begin(uri("\(repo)/\(inner)")) }
        try git.await(repo + "/a", ["b": "git.modified", "d": "synced"])
        try git.await(repo + "/e", ["f": "synced", "x.o": "excluded"])
        try git.await(repo + "/new/deep", ["file": "git.untracked"])

        try git.write(repo, "clean", "2")
        try git.host.await(uri(repo), "clean", "git.modified")
        try git.git(repo, "add", "clean")
        try git.host.await(uri(repo), "clean", "git.staged")
        try git.git(repo, "commit", "-q", "-m", "second")
        try git.host.await(uri(repo), "clean", "synced")
        try git.write(repo, ".gitignore", "*.o\nother2\n")
        try git.write(repo, "e/other2", "1")
        try git.await(repo + "/e", ["f": "synced", "x.o": "excluded", "other2": "excluded"])
    }

    @Test("A conflict shows in its file, its directory, the folder and its status; a branch says how far it is")
    func conflict() throws {
        let repo = try git.makeRepository("Repo", ["src/a": "1\n"])
        try git.git(repo, "checkout", "-q", "-b", "side")
        try git.write(repo, "src/a", "side\n")
        try git.git(repo, "commit", "-q", "-am", "side")
        try git.git(repo, "checkout", "-q", "main")
        try git.git(repo, "branch", "-q", "--set-upstream-to", "side")
        try git.add(repo)
        let home = uri(String(repo.dropLast("/Repo".utf8.count)))
        try git.host.begin(home)
        try git.await(String(repo.dropLast("/Repo".utf8.count)), ["Repo": "synced"])
        let text = "main: 1 commit behind side"
        try git.world.until("the branch is said") { try git.roundel("git").output.contains(text) }
        #expect(try git.host.attributes(uri(repo)).string("message") == text)
        try git.write(repo, "src/a", "mine\n")
        try git.git(repo, "commit", "-q", "-am", "mine")
        #expect(throws: Failure.self) { try git.git(repo, "merge", "-q", "side") }
        try git.host.begin(uri(repo))
        try git.host.begin(uri(repo + "/src"))
        try git.await(repo, ["src": "conflict"])
        try git.await(repo + "/src", ["a": "conflict"])
        try git.host.await(home, "Repo", "conflict")
        #expect(try git.roundel("status", repo, "--json").output.value(of: "state") == "conflict")
    }

    @Test("A folder of repositories shows each by its own states, also one that comes later")
    func manyRepositories() throws {
        let place = try git.world.makeFolder("Code")
        _ = try git.makeRepository("Code/one", ["a": "1"])
        let two = try git.makeRepository("Code/two", ["a": "1"])
        try git.write(place, "plain/file", "1")
        try git.write(two, "a", "2")
        try git.add(place)
        try git.host.begin(uri(place))
        try git.await(place, ["one": "synced", "two": "git.modified", "plain": ""])
        let three = try git.makeRepository("Code/three", ["a": "1"])
        try git.host.begin(uri(three))
        try git.await(place, ["one": "synced", "two": "git.modified", "three": "synced"])
        try git.await(three, ["a": "synced"])
    }

    @Test("Stage, unstage and discard do it; what is discarded is in the trash as it was")
    func actions() throws {
        let repo = try git.makeRepository("Repo", ["a": "1", "src/b": "1", "src/c": "1"])
        for name in ["a", "src/b"] { try git.write(repo, name, "mine") }
        try git.write(repo, "new", "1")
        try Disk.remove(repo + "/src/c")
        try git.add(repo)
        try git.host.begin(uri(repo))
        try git.await(repo, ["a": "git.modified", "src": "git.modified", "new": "git.untracked"])
        func act(_ action: String, _ names: String...) throws {
            let done = try git.world.installation.run(
                "roundel", ["do", "git/\(action)"] + names.map { "\(repo)/\($0)" })
            #expect(done.status == 0, "\(done)")
        }
        try act("stage", "a", "new")
        #expect(try git.git(repo, "diff", "--cached", "--name-only") == "a\nnew\n")
        try git.host.await(uri(repo), "new", "git.staged")
        try git.await(repo, ["a": "git.staged", "src": "git.modified", "new": "git.staged"])
        try act("unstage", "a", "new")
        #expect(try git.git(repo, "diff", "--cached", "--name-only").isEmpty)
        try git.await(repo, ["a": "git.modified", "src": "git.modified", "new": "git.untracked"])
        try act("discard", "a", "src")
        #expect(
            try Disk.text(repo + "/a") == "1" && Disk.text(repo + "/src/b") == "1" && Disk.text(repo + "/src/c") == "1")
        let trash = git.world.installation.root + "/data/Trash"
        #expect(try Disk.text(trash + "/files/a") == "mine" && Disk.text(trash + "/files/b") == "mine")
        #expect(try Disk.text(trash + "/info/a.trashinfo").contains("Path=\(repo)/a\n"))
        try git.await(repo, ["a": "synced", "src": "synced", "new": "git.untracked"])
        #expect(try git.roundel("do", "git/discard", repo + "/a").status == 1)
    }

    @Test("Compare starts a program of the person's with the last version and the file")
    func compare() throws {
        let repo = try git.makeRepository("Repo", ["a": "old"])
        try git.write(repo, "a", "new")
        let seen = git.world.installation.root + "/compared"
        try git.world.installation.addProgram("meld", "#!/bin/sh\ncat \"$1\" \"$2\" >'\(seen)'\n")
        try git.add(repo)
        try git.host.begin(uri(repo))
        try git.await(repo, ["a": "git.modified"])
        let done = try git.roundel("do", "git/compare", repo + "/a")
        #expect(done.status == 0, "\(done)")
        try git.world.until("both are compared") { Disk.textIfThere(seen) == "oldnew" }
    }

    @Test("Nothing that a repository names is run: monitor, hooks, filters, remote helpers, tools")
    func hostile() throws {
        let repo = try git.makeRepository("Repo", ["a": "1", "b": "1", "c.txt": "1"])
        let trap = git.world.installation.root + "/sprung"
        let script = git.world.installation.root + "/trap"
        try Disk.write(script, "#!/bin/sh\necho \"$0 $*\" >>'\(trap)'\ncat\n")
        try Disk.makeExecutable(script)
        try git.write(repo, ".gitattributes", "* filter=evil diff=evil\n")
        for hook in ["post-index-change", "pre-commit", "post-checkout", "reference-transaction"] {
            try Disk.write("\(repo)/.git/hooks/\(hook)", "#!/bin/sh\necho hook >>'\(trap)'\n")
            try Disk.makeExecutable("\(repo)/.git/hooks/\(hook)")
        }
        try git.write(repo, "a", "2")
        try git.write(repo, "c.txt", "2")
        let settings = [
            "[core]\n\tfsmonitor = \(script)\n\tsshCommand = \(script)\n\tpager = \(script)\n\teditor = \(script)",
            "[filter \"evil\"]\n\tclean = \(script)\n\tsmudge = \(script)\n\tprocess = \(script)\n\trequired = true",
            "[diff]\n\texternal = \(script)\n\tguitool = evil\n[difftool \"evil\"]\n\tcmd = \(script)",
            "[diff \"evil\"]\n\ttextconv = \(script)\n\tcommand = \(script)",
            "[remote \"origin\"]\n\turl = ext::\(script)\n\tpromisor = true\n[extensions]\n\tpartialClone = origin",
        ]
        let path = repo + "/.git/config"
        try Disk.write(
            path,
            try Disk.text(path).replacing("repositoryformatversion = 0", with: "repositoryformatversion = 1")
                + settings.joined(separator: "\n") + "\n")
        try git.add(repo)
        try git.host.begin(uri(repo))
        try git.await(repo, ["a": "git.modified", "c.txt": "git.modified", "b": "synced"])
        let sentence = "has filters of its own"
        #expect(try git.roundel("do", "git/stage", repo + "/a").errors.contains(sentence))
        #expect(try git.roundel("do", "git/discard", repo + "/a").errors.contains(sentence))
        #expect(try Disk.text(repo + "/a") == "2")
        _ = try git.roundel("do", "git/compare", repo + "/a")
        #expect(try git.roundel("git").status == 0)
        #expect(Disk.textIfThere(trap) == nil)
        // The trap works: git in a terminal springs it, and fails.
        _ = try? git.git(repo, "status")
        #expect(Disk.textIfThere(trap) != nil)
    }

    @Test("Hooks are not run when something is staged")
    func hooks() throws {
        let repo = try git.makeRepository("Repo", ["a": "1"])
        let trap = git.world.installation.root + "/sprung"
        try Disk.write(repo + "/.git/hooks/post-index-change", "#!/bin/sh\necho hook >>'\(trap)'\n")
        try Disk.makeExecutable(repo + "/.git/hooks/post-index-change")
        try git.write(repo, "a", "2")
        try git.add(repo)
        try git.host.begin(uri(repo))
        try git.await(repo, ["a": "git.modified"])
        #expect(try git.roundel("do", "git/stage", repo + "/a").status == 0)
        try git.await(repo, ["a": "git.staged"])
        #expect(Disk.textIfThere(trap) == nil)
        try git.write(repo, "a", "3")
        try git.git(repo, "add", "a")
        #expect(Disk.textIfThere(trap) != nil)
    }

    @Test("While git takes its time in one repository, another one's badges come, and so do menus")
    func slow() throws {
        let slow = try git.makeRepository("Slow", ["a": "1"])
        let quick = try git.makeRepository("Quick", ["a": "1"])
        try git.add(slow)
        try git.add(quick)
        try git.host.begin(uri(slow))
        #expect(try git.host.badgesAskedOnce(uri(slow), ["a"]).first?.badge == "")
        try git.write(quick, "a", "2")
        try git.host.begin(uri(quick))
        try git.await(quick, ["a": "git.modified"])
        #expect(try git.host.menu(0, uri(quick), [uri(quick + "/a")]).items.contains { $0.string("id") == "git/git" })
        try Disk.write(git.world.installation.root + "/go", "")
        try git.host.await(uri(slow), "a", "synced")
    }

    @Test("In a repository of 20,000 files one question is put to git for the directory that is shown")
    func large() throws {
        let repo = try git.world.makeFolder("Large")
        try git.git(repo, "init", "-q")
        let made = try git.world.installation.run(
            bytes: "/usr/bin/python3",
            ["-c", Self.maker, repo].map { Array($0.utf8) })
        guard made.status == 0 else { throw Failure("\(made)") }
        try git.git(repo, "add", "-A")
        try git.git(repo, "commit", "-q", "-m", "first")
        try git.add(repo)
        try git.host.begin(uri(repo + "/d7"))
        try git.await(repo + "/d7", ["f0": "synced", "f5": "synced", "f99": "synced"])
        func asked() -> [String] { git.calls().filter { $0.contains("--ignored") } }
        // Once when it is shown, and once more when the folder is watched.
        #expect(asked().count <= 2 && asked().allSatisfy { $0.hasSuffix("-- d7") }, "\(asked())")
        try git.write(repo, "d7/f5", "changed")
        try git.host.await(uri(repo + "/d7"), "f5", "git.modified")
        try git.write(repo, "d8/f5", "changed")
        try git.host.begin(uri(repo))
        try git.await(repo, ["d7": "git.modified", "d8": "git.modified", "d9": "synced"])
        #expect(asked().allSatisfy { $0.hasSuffix("-- d7") || $0.hasSuffix("-- .") })
    }

    /// 20,000 files in 200 directories.
    private static let maker = """
        import os, sys
        for directory in range(200):
            path = f'{sys.argv[1]}/d{directory}'
            os.mkdir(path)
            for file in range(100):
                os.close(os.open(f'{path}/f{file}', os.O_CREAT | os.O_WRONLY, 0o644))
        """
}
