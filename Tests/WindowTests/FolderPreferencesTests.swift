import RoundelBus
import Testing

@testable import WindowModel

/// What a person sees in the preferences of a folder.
@Suite struct FolderPreferencesTests {
    private let folder: ItemURI

    init() throws { folder = try ItemURI("file:///home/p/Files") }

    private static func exclusion(
        _ path: String, _ reason: SyncExclusion.Reason? = .pattern, pattern: String? = nil, isBundled: Bool = false
    ) -> SyncExclusion {
        var item = SyncExclusion(uri: "file:///home/p/Files/" + path)
        (item.reason, item.pattern, item.isBundled) = (reason.map { WireWord($0) }, pattern, isBundled)
        return item
    }

    // MARK: What is not synced

    @Test func eachItemHasTheReasonThatTheEngineGives() {
        let items = [
            Self.exclusion("a.iso", pattern: "*.iso"), Self.exclusion("d/b.tmp", pattern: "*.tmp", isBundled: true),
            Self.exclusion("link", .link), Self.exclusion("pipe", .special), Self.exclusion("new", nil),
        ]
        let page = ExcludesPage(
            folder: folder, patterns: ["*.iso", "!keep.iso"], bundled: ["*~", "*.tmp"], items: items)
        #expect(page.items.map(\.path) == ["a.iso", "d/b.tmp", "link", "pipe", "new"])
        #expect(
            page.items.map(\.reason) == [
                "Matches your pattern *.iso", "Matches *.tmp, which no folder syncs", "Symbolic links are not synced",
                "Devices, sockets and pipes are not synced", "Is not synced",
            ])
        #expect(page.patterns.map(\.text) == ["*.iso", "!keep.iso"] && page.bundled == "*~, *.tmp")
        #expect(page.patterns[0].meaning != page.patterns[1].meaning && page.remark == nil)
    }

    @Test("That nothing is left out is said only where that is known")
    func remarks() {
        func remark(_ items: [SyncExclusion]?, _ hasMore: Bool = false) -> String? {
            ExcludesPage(folder: folder, patterns: [], bundled: [], items: items, hasMore: hasMore).remark
        }
        #expect(remark([]) == "Nothing in this folder is left out.")
        #expect(remark(nil) == "What is left out is not known at the moment.")
        #expect(remark([Self.exclusion("a", .link)], true) == "There are more that are not shown.")
    }

    @Test("A name that is tried has a whole sentence with the pattern that decides")
    func verdicts() {
        func verdict(_ item: SyncExclusion, _ change: (inout SyncExclusion) -> Void = { _ in }) -> String {
            var item = item
            change(&item)
            return ExclusionWords.verdict(item, in: folder)
        }
        #expect(
            verdict(Self.exclusion("a.iso", pattern: "*.iso")) == "“a.iso” is not synced. Matches your pattern *.iso.")
        #expect(
            verdict(Self.exclusion("d/a", pattern: "d/")) { $0.directory = "file:///home/p/Files/d" }
                == "“d/a” is not synced, because it is in “d”. Matches your pattern d/.")
        #expect(
            verdict(Self.exclusion("a.iso", pattern: "!a.iso")) { $0.isExcluded = false }
                == "“a.iso” is synced, because !a.iso says so.")
        #expect(
            verdict(Self.exclusion("a", nil)) { $0.isExcluded = false } == "“a” is synced. No pattern matches it.")
    }

    @Test("Only what an engine manages, and not the folder itself, can be left out from the problems")
    func exclusionOfProblems() {
        let found = FoundProblems(
            problems: ["/f/a", "/f", "/g/a"].map {
                SyncProblem(folder: "1", uri: "file://" + $0, state: .error, message: "Why.")
            })
        let page = ProblemsPageTests.page(FoldersPageTests.status("/f", .error), found)
        #expect(page.items.map(\.mayBeExcluded) == [true, false, false])
    }

    // MARK: Space, network, login

    @Test("What is not known is not told as a number")
    func space() {
        var space = SyncSpace()
        let unknown = SpaceWords(space)
        #expect(unknown.folder == "Not known before it was synced" && unknown.here == "Not known")
        #expect(unknown.there == "The remote does not say")
        (space.files, space.bytes, space.free, space.available) = (2, 1_500, 3_000_000, 0)
        let known = SpaceWords(space)
        #expect(known.folder == "2 files, 1.5 kB" && known.here == "3.0 MB free" && known.there == "0 bytes free")
    }

    @Test("Only what was changed is set, and nothing that engines refuse")
    func network() {
        var report = SyncNetworkReport(id: "1", uri: "file:///f")
        report.use.up = 123_456
        report.use.periods = [.init(from: 60, until: 120)]
        var form = NetworkForm(report)
        #expect(form.changed == nil && form.remark != nil)
        form.down = 7
        #expect(form.changed?.down == 20_000 && form.changed?.up == 123_456)
        #expect(form.changed?.periods == report.use.periods)
        form.down = 0
        form.isAllowedOnMetered = true
        #expect(form.changed?.down == 0 && form.changed?.isAllowedOnMetered == true)
        form.up = 99_999_999
        #expect(form.changed?.up == 1_000_000_000)
    }

    @Test("A login is shown as one only where the server was reached with it")
    func account() {
        func row(_ remote: String, _ change: (inout SyncFolderStatus) -> Void = { _ in }) -> AccountRow? {
            AccountRow(
                FoldersPageTests.status("/f", .synced) {
                    ($0.remote, $0.lastSynced) = (remote, 1)
                    change(&$0)
                })
        }
        let remote = "webdav+https://me@cloud.example.org/dav"
        #expect(row("/media/disk") == nil && row("rclone:box:a") == nil)
        #expect(row(remote)?.state == "Logged in as me" && row(remote)?.isNeeded == false)
        #expect(row(remote)?.server == "https://cloud.example.org")
        let needed = row(remote) { $0.needs = WireWord(.login) }
        #expect(needed?.isNeeded == true && needed?.state == "You are not logged in" && needed?.button == "Log In…")
        #expect(row(remote) { $0.needs = WireWord(.server) }?.state == "me")
        #expect(row(remote) { $0.lastSynced = nil }?.state == "me")
        #expect(row(remote) { $0.state = .paused }?.state == "me")
    }

    @Test("A folder that needs a login has the button for it, unless its login is rclone's")
    func loginAnswers() {
        func answers(_ remote: String) -> [NeedAnswer]? {
            let status = FoldersPageTests.status("/f", .error) { ($0.needs, $0.remote) = (WireWord(.login), remote) }
            return ProblemsPageTests.page(status).needs.first?.answers
        }
        #expect(answers("webdav+https://me@cloud.example.org/dav") == [.logIn])
        #expect(answers("rclone:box:a") == [.tryAgain])
    }
}
