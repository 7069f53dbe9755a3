import RoundelBus
import Support
import Testing

@testable import Git

/// What git is asked when, and what is told of its answers.
@Suite struct GitCoreTests {
    private let folder: ItemURI
    private let inner: ItemURI
    private var core = GitCore()
    private var now = Instant(nanoseconds: 1_000_000_000_000)

    init() throws {
        folder = try ItemURI("file:///home/repo")
        inner = try ItemURI("file:///home/repo/src")
    }

    private func name(_ text: String) throws -> ItemName { try ItemName(bytes: Array(text.utf8)) }

    private func report(_ items: (String, FileState?)...) throws -> GitCore.Outcome {
        .directory(DirectoryReport(items: try items.map { (try name($0.0), $0.1) }))
    }

    private func jobs(_ actions: [GitCore.Action]) -> [GitCore.Job] {
        actions.compactMap { if case .run(let job) = $0 { job } else { nil } }
    }

    private mutating func later(_ time: Duration = .seconds(60)) -> Instant {
        now = now + time
        return now
    }

    /// A core whose folder is shown, with one modified item.
    private mutating func show() throws {
        _ = core.setFolders([folder], at: now)
        _ = core.finished(.branch(folder), .repository(RepositoryReport()), took: .zero, at: now)
        #expect(jobs(core.begin(folder, at: now)) == [.directory(folder)])
        _ = core.finished(
            .directory(folder), try report(("a", .modified), ("src", .clean)), took: .zero, at: now)
    }

    @Test("Nothing is asked of what nobody shows, and one question answers for all in a directory")
    mutating func onlyShown() throws {
        #expect(jobs(core.setFolders([folder], at: now)) == [.branch(folder)])
        _ = core.finished(.branch(folder), .repository(RepositoryReport()), took: .zero, at: now)
        let item = inner.appending(try name("x"))
        #expect(jobs(core.changed(FolderChanges(folder: folder, items: [item]), at: later())).isEmpty)
        #expect(jobs(core.begin(folder, at: now)) == [.directory(folder)])
        #expect(jobs(core.ask(1, folder, at: now)).isEmpty)
        #expect(jobs(core.ask(2, folder, at: now)).isEmpty)
        let known = core.finished(.directory(folder), try report(("a", .modified)), took: .zero, at: now)
        #expect(known == [.ready(1), .ready(2)])
        #expect(core.columns(folder, [try name("a"), try name("b")]).badges == ["git.modified", ""])
        #expect(core.ask(3, folder, at: now) == [.ready(3)])
        _ = core.end(folder, at: now)
        #expect(jobs(core.changed(FolderChanges(folder: folder, items: [item]), at: later())).isEmpty)
        #expect(core.columns(folder, [try name("a")]).badges == [""])
    }

    @Test("What was asked without being shown is kept until whoever asked has read it")
    mutating func askedOnly() throws {
        _ = core.setFolders([folder], at: now)
        _ = core.ask(1, folder, at: now)
        #expect(core.finished(.directory(folder), try report(("a", .staged)), took: .zero, at: now).contains(.ready(1)))
        #expect(core.columns(folder, [try name("a")]).badges == ["git.staged"])
        _ = core.timeCame(now)
        #expect(core.columns(folder, [try name("a")]).badges == [""])
    }

    @Test("A change is asked about once more after a pause that grows with the cost, and only the difference is told")
    mutating func changes() throws {
        try show()
        let item = inner.appending(try name("x"))
        let change = FolderChanges(folder: folder, items: [item])
        #expect(jobs(core.changed(change, at: later())) == [.directory(folder)])
        #expect(jobs(core.changed(change, at: now)).isEmpty)
        let told = core.finished(
            .directory(folder), try report(("a", .modified), ("src", .modified)), took: .seconds(2), at: now)
        #expect(told == [.tell(folder, [try name("src")]), .wake(now + .seconds(6))])
        #expect(jobs(core.timeCame(now + .seconds(5))).isEmpty)
        #expect(jobs(core.timeCame(now + .seconds(6))) == [.directory(folder)])
    }

    @Test("The index, a branch and patterns concern the whole repository; objects and locks nothing")
    mutating func metadata() throws {
        try show()
        _ = core.begin(inner, at: now)
        _ = core.finished(.directory(inner), try report(("x", .clean)), took: .zero, at: now)
        let git = folder.appending(.git)
        func changed(_ path: String...) throws -> FolderChanges {
            FolderChanges(folder: folder, items: [try path.reduce(git) { $0.appending(try name($1)) }])
        }
        #expect(jobs(core.changed(try changed("objects", "ab", "cd"), at: later())).isEmpty)
        #expect(jobs(core.changed(try changed("index.lock"), at: now)).isEmpty)
        #expect(jobs(core.changed(try changed("logs", "HEAD"), at: now)).isEmpty)
        // Two at a time of one folder.
        #expect(jobs(core.changed(try changed("index"), at: now)).count == 2)
    }

    @Test("A change of the patterns is asked about below their directory, where the items did not change")
    mutating func patterns() throws {
        _ = core.setFolders([folder], at: now)
        _ = core.finished(.branch(folder), .repository(RepositoryReport()), took: .zero, at: now)
        _ = core.begin(inner, at: now)
        _ = core.finished(.directory(inner), try report(("x", .clean)), took: .zero, at: now)
        let patterns = folder.appending(try name(".gitignore"))
        #expect(
            jobs(core.changed(FolderChanges(folder: folder, items: [patterns]), at: later())).contains(
                .directory(inner)))
        let other = folder.appending(try name("other"))
        _ = core.finished(.directory(inner), try report(("x", .clean)), took: .zero, at: now)
        #expect(
            !jobs(core.changed(FolderChanges(folder: folder, items: [other]), at: later())).contains(.directory(inner)))
    }

    @Test("A repository's own badge is the sum of all in it, asked for once its directory is shown")
    mutating func nested() throws {
        let place = try ItemURI("file:///home")
        _ = core.setFolders([folder], at: now)
        _ = core.finished(.branch(folder), .repository(RepositoryReport()), took: .zero, at: now)
        _ = core.begin(place, at: now)
        let repo = try name("repo")
        let listed = core.finished(
            .directory(place), .directory(DirectoryReport(items: [(repo, nil)], nested: [repo])), took: .zero, at: now)
        #expect(jobs(listed) == [.sum(folder)])
        #expect(core.columns(place, [repo]).badges == [""])
        let told = core.finished(
            .sum(folder), .repository(RepositoryReport(state: .conflicted)), took: .zero, at: now)
        #expect(told == [.tell(place, [repo])])
        #expect(core.columns(place, [repo]).badges == ["conflict"])
        let item = inner.appending(try name("x"))
        #expect(jobs(core.changed(FolderChanges(folder: folder, items: [item]), at: later())).contains(.sum(folder)))
        _ = core.end(place, at: now)
        #expect(core.tree(at: folder) == nil)
    }

    @Test("A folder whose disk does not answer holds up no other")
    mutating func lanes() throws {
        let other = try ItemURI("file:///mnt/other")
        _ = core.setFolders([folder, other], at: now)
        _ = core.finished(.branch(folder), .repository(RepositoryReport()), took: .zero, at: now)
        _ = core.finished(.branch(other), .repository(RepositoryReport()), took: .zero, at: now)
        for text in ["a", "b", "c", "d"] { _ = core.begin(folder.appending(try name(text)), at: now) }
        #expect(jobs(core.begin(other, at: now)) == [.directory(other)])
    }
}
