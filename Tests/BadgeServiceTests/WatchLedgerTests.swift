import BadgeEngine
import FileWatch
import RoundelBus
import SystemPackage
import Testing

@testable import BadgeService

@Suite("Between the engine and the watcher")
struct WatchLedgerTests {
    private var ledger = WatchLedger()
    private static let id = FolderID(rawValue: 1)
    private static let path: FilePath = "/home/a/Sync"

    // MARK: A folder that was missing

    @Test("a folder that appeared between its acceptance and its watch counts as changed as a whole, once")
    mutating func appearedBeforeItsWatch() throws {
        try accept(as: .missing)
        let steps = ledger.handle(.established(Self.id))
        #expect(Self.resolved(steps) == [Self.path])
        #expect(Self.changes(steps) == [RoundelBus.FolderChanges(folder: try Self.folder, overflow: true)])
        #expect(Self.changes(ledger.handle(.established(Self.id))).isEmpty)
    }

    @Test("a folder that was there, or whose appearance was reported, is not reported again with its watch")
    mutating func notReportedTwice() throws {
        try accept(as: .directory)
        #expect(Self.changes(ledger.handle(.established(Self.id))).isEmpty)
        ledger = WatchLedger()
        try accept(as: .missing)
        #expect(Self.resolved(ledger.handle(.rootAppeared(Self.id))) == [Self.path])
        #expect(Self.changes(ledger.handle(.established(Self.id))).isEmpty)
    }

    @Test("a folder that is watched for the first time is announced once, one that is not known is not looked up")
    mutating func established() throws {
        try accept(as: .missing)
        let steps = ledger.handle(.established(Self.id)) + ledger.handle(.established(FolderID(rawValue: 7)))
        #expect(steps.count { if case .folderEstablished = $0 { true } else { false } } == 2)
        #expect(Self.resolved(steps) == [Self.path])
    }

    // MARK: Questions about several paths

    @Test("a check is answered once, in its order, when the last folder is known")
    mutating func check() throws {
        let uris = try ["/a", "/b", "/c"].map { try ItemURI(path: $0) }
        let tokens = Self.tokens(ledger.check(uris, for: CallToken(5)))
        let other = Self.tokens(ledger.check([uris[0]], for: CallToken(5)))
        var checked: [FolderFacts]?
        for (index, kind) in [(2, RootKind.file), (0, .directory), (0, .directory), (1, .missing)] {
            #expect(checked == nil)
            checked = Self.checked(answer(tokens[index], uris[index].filePath, kind))
        }
        #expect(checked?.map(\.folder) == uris && checked?.map(\.kind) == [.directory, .missing, .file])
        #expect(Self.checked(answer(other[0], "/a", .directory))?.count == 1)
        #expect(Self.checked(ledger.check([], for: CallToken(6)))?.isEmpty ?? false)
    }

    @Test("an inspection says of each item whether it is a directory, and nil where nobody knows")
    mutating func inspection() throws {
        let uris = try ["/a", "/b", "/c"].map { try ItemURI(path: $0) }
        let tokens = Self.tokens(ledger.inspect(uris, for: RequestToken(5)))
        #expect(answer(tokens[1], "/b", .symbolicLink).isEmpty && answer(tokens[0], "/a", .directory).isEmpty)
        let steps = answer(tokens[2], "/c", .notAnswering)
        guard case .feed(.itemsInspected(let token, let answers))? = steps.first else {
            Issue.record("no answer: \(steps)")
            return
        }
        #expect(token == RequestToken(5) && answers == [true, false, nil])
    }

    // MARK: Folders

    @Test("a folder keeps its number while it is watched the same way; one that is not wanted is removed")
    mutating func folders() throws {
        let other = WatchedFolder(folder: try ItemURI(path: "/b"), tree: false)
        let first = ledger.setFolders([WatchedFolder(folder: try Self.folder, tree: true), other])
        #expect(first.count == 2)
        let second = ledger.setFolders([other])
        guard case .removeFolder(Self.id)? = second.first, second.count == 1 else {
            Issue.record("not removed: \(second)")
            return
        }
        #expect(ledger.handle(.changed(TreeChanges(folder: Self.id, overflow: true))).isEmpty)
        _ = ledger.handle(.status(WatchStatus(used: 3, limit: 9, unreliable: [Self.id, FolderID(rawValue: 2)])))
        #expect(ledger.unreliableFolders == [other.folder] && ledger.status.used == 3)
    }

    @Test("a Flush is answered once; of a folder that is not watched at once")
    mutating func flush() throws {
        try accept(as: .directory)
        guard case .flush(Self.id, let token)? = ledger.flush(try Self.folder, for: CallToken(3)).first else {
            Issue.record("not asked")
            return
        }
        #expect(Self.flushed(ledger.handle(.flushed(token: token))) == CallToken(3))
        #expect(ledger.handle(.flushed(token: token)).isEmpty)
        #expect(Self.flushed(ledger.flush(try ItemURI(path: "/b"), for: CallToken(4))) == CallToken(4))
    }

    @Test("a report that was asked for says that everything may have changed, once the watcher is there")
    mutating func report() throws {
        try accept(as: .directory)
        guard case .flush(Self.id, let token)? = ledger.report(try Self.folder).first else {
            Issue.record("not asked")
            return
        }
        let changes = Self.changes(ledger.handle(.flushed(token: token)))
        #expect(changes == [RoundelBus.FolderChanges(folder: try Self.folder, overflow: true)])
        #expect(ledger.report(try ItemURI(path: "/b")).isEmpty)
    }

    @Test("changed paths become URIs; one too long for a URI becomes its deepest ancestor that fits")
    mutating func changedPaths() throws {
        try accept(as: .directory)
        let deep = FilePath(root: nil, Array(repeating: "0123456789", count: 400).compactMap { FilePath.Component($0) })
        let changes = TreeChanges(folder: Self.id, directories: [""], items: ["b/ä", deep])
        let found = try #require(Self.changes(ledger.handle(.changed(changes))).first)
        #expect(found.directories == [try Self.folder])
        #expect(found.items.first?.uri == "file:///home/a/Sync/b/%C3%A4")
        let length = try #require(found.items.last).filePath.length
        #expect(length < ItemURI.pathLimit && length + 11 >= ItemURI.pathLimit)
    }

    // MARK: Helpers

    private static var folder: ItemURI {
        get throws { try ItemURI(path: path) }
    }

    /// A provider names the folder, and the engine has it watched.
    private mutating func accept(as kind: RootKind) throws {
        let steps = ledger.check([try Self.folder], for: CallToken(1))
        for token in Self.tokens(steps) { _ = answer(token, Self.path, kind) }
        _ = ledger.setFolders([WatchedFolder(folder: try Self.folder, tree: true)])
    }

    private mutating func answer(_ token: UInt64, _ path: FilePath, _ kind: RootKind) -> [WatchLedger.Step] {
        ledger.handle(.resolved(token: token, PathResolution(requested: path, resolved: path, kind: kind)))
    }

    private static func tokens(_ steps: [WatchLedger.Step]) -> [UInt64] {
        steps.compactMap { if case .resolve(_, let token) = $0 { token } else { nil } }
    }

    private static func resolved(_ steps: [WatchLedger.Step]) -> [FilePath] {
        steps.compactMap { if case .resolve(let path, _) = $0 { path } else { nil } }
    }

    private static func changes(_ steps: [WatchLedger.Step]) -> [RoundelBus.FolderChanges] {
        steps.compactMap { if case .feed(.itemsChanged(let changes)) = $0 { changes } else { nil } }
    }

    private static func checked(_ steps: [WatchLedger.Step]) -> [FolderFacts]? {
        if case .feed(.foldersChecked(_, let facts))? = steps.first { facts } else { nil }
    }

    private static func flushed(_ steps: [WatchLedger.Step]) -> CallToken? {
        if case .feed(.flushed(let token))? = steps.first { token } else { nil }
    }
}
