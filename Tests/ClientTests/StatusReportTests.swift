import Testing

@testable import Client
@testable import RoundelBus

@Suite struct StatusReportTests {
    private static func status(_ path: String, state: Badge) -> SyncFolderStatus {
        SyncFolderStatus(id: "1", uri: "file://" + path, state: state)
    }

    @Test func theWorkerSaysMoreThanTheServiceRemembersAndIsNotReplacedByIt() throws {
        let uri = try ItemURI("file:///a")
        var report = StatusReport([FolderSummary(uri: uri, FolderStatus(state: .syncing, progress: 7))])
        #expect(report.state == .badge(.syncing))
        report.update(try #require(FolderSummary(Self.status("/a", state: "conflict"))))
        #expect(report.folders.count == 1 && report.state == .badge(.conflict) && report.needsUser)
        report.update(FolderSummary(uri: uri, FolderStatus(state: .idle)))
        #expect(report.state == .badge(.conflict))
    }

    @Test func theWorstStateOfAllFoldersIsTheOverallState() throws {
        let states: [Badge] = ["synced", "paused", "error", "syncing"]
        let views = states.enumerated().compactMap {
            FolderSummary(Self.status("/f\($0.offset)", state: $0.element))
        }
        #expect(StatusReport(views).state == .badge(.error))
        #expect(StatusReport([views[0], views[3]]).state == .badge(.syncing))
        #expect(StatusReport([]).state == .unknown)
    }

    @Test func aPathBelongsToTheDeepestFolder() throws {
        let views = ["/a", "/a/b"].compactMap { FolderSummary(Self.status($0, state: "synced")) }
        let found = StatusReport(views).restricted(to: try ItemURI("file:///a/b/c"))
        #expect(found?.folders.map(\.uri.uri) == ["file:///a/b"])
        #expect(StatusReport(views).restricted(to: try ItemURI("file:///ab")) == nil)
    }

    @Test(
        "A folder that its service or the worker no longer names is gone, and neither removes what the other one knows")
    func forgetting() throws {
        let uris = try ["file:///own", "file:///other"].map { try ItemURI($0) }
        var report = StatusReport(uris.map { FolderSummary(uri: $0, FolderStatus(state: .idle)) })
        report.take(.init(folders: [Self.status("/own", state: .pending)], isWatching: false))
        #expect(report.isWatching == false && report.folders.map(\.state) == [.badge(.synced), .badge(.pending)])
        report.retain([])
        #expect(report.folders.map(\.uri) == [uris[0]])
        report.take(.init(folders: [], isWatching: true))
        #expect(report.folders.isEmpty && report.isWatching == true)
    }

    @Test("A run leaves something to the user if anything waits, is in conflict, failed, or is needed")
    func runs() {
        func needsUser(_ change: (inout SyncRunResult) -> Void) -> Bool {
            var result = SyncRunResult()
            result.state = .synced
            change(&result)
            return result.needsUser
        }
        #expect(!needsUser { ($0.uploaded, $0.deletedRemote) = (4, 2) } && !needsUser { $0.state = .paused })
        #expect(needsUser { $0.conflicts = 1 } && needsUser { $0.errors = 1 } && needsUser { $0.needs = "a later one" })
        #expect(needsUser { $0.waiting = [.init(uri: "file:///a", message: "It is open.")] })
        for state in [Badge.error, .conflict, .pending] { #expect(needsUser { $0.state = state }) }
    }

    @Test("What needs the user is a state, a count or a need, whoever says it")
    func needs() throws {
        let uri = try ItemURI("file:///a")
        func needsUser(_ change: (inout SyncFolderStatus) -> Void) throws -> Bool {
            var status = Self.status("/a", state: .synced)
            change(&status)
            return try #require(FolderSummary(status)).needsUser
        }
        #expect(try !needsUser { _ in })
        #expect(try needsUser { $0.state = .conflict } && needsUser { $0.state = .error })
        #expect(try needsUser { $0.counts = [.conflict: 2] } && needsUser { $0.counts = [.error: 1] })
        #expect(try needsUser { $0.needs = "a later one" } && !needsUser { $0.counts = [.pending: 9] })
        for state in FolderState.allCases {
            let isTrouble = state == .attention || state == .error
            #expect(FolderSummary(uri: uri, FolderStatus(state: state)).needsUser == isTrouble)
        }
    }
}
