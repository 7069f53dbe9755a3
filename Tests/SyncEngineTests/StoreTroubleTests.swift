import Foundation
import GRDB
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// A database that cannot be used for a while, or not with this version.
@Suite struct StoreTroubleTests {
    /// A folder that was synced and stopped, in which a file was deleted since: what was synced must still be known.
    private func stoppedWorld(stateIn parent: String? = nil) throws -> FolderWorld {
        let world = try FolderWorld(stateIn: parent)
        for name in ["a", "b", "c"] { try world.folder.write(name, to: name) }
        try world.start()
        return world
    }

    private func setAside(_ world: FolderWorld) throws -> [String] {
        try world.state.names().filter { $0.contains("damaged") }
    }

    private func begin(_ world: FolderWorld) throws {
        let sync = world.sync
        world.loop.post { sync.start() }
    }

    @Test("A new row that the table has already is a sign of damage, which is looked for")
    func rowsThatAreThere() {
        let error = DatabaseError(resultCode: .SQLITE_CONSTRAINT_PRIMARYKEY)
        #expect(StoreFailure(path: "/x/trees.db", error).kind == .damaged)
    }

    @Test func aLockedDatabaseIsSaidAndUsedWhenItIsFree() throws {
        let world = try stoppedWorld()
        try world.restart {
            try world.folder.remove("b")
            return try self.lock(world.state.path.appending("trees.db"))
        } then: { lock in
            try self.begin(world)
            try world.wait("it is said") { $0.statuses.last?.message.code == .storeLocked }
            #expect(world.record.statuses.last?.phase == .stopped)
            #expect(try world.state("") == .error)
            try lock.close()
        }
        try world.wait("it goes on by itself") { $0.activities.contains { $0.kind == "deleted-remote" } }
        #expect(!world.remote.exists("b") && !world.folder.exists("b"))
        #expect(try setAside(world).isEmpty)
    }

    private func lock(_ path: FilePath) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: path.string, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        return queue
    }

    @Test(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func aFullDiskIsSaidAndTheDatabaseKept() throws {
        let disk = try MountedDirectory(options: "size=4m")
        let world = try stoppedWorld(stateIn: disk.path)
        try disk.directory.fill("filler")
        try world.folder.remove("b")
        for number in 0..<300 { try world.folder.write("\(number)", to: "many/\(number)") }
        let sync = world.sync
        world.loop.post { sync.command(.syncNow) }
        try world.wait("it is said") { $0.statuses.contains { $0.message.code == .storeFull } }
        try disk.directory.remove("filler")
        try world.wait("it goes on by itself") { $0.activities.contains { $0.kind == "deleted-remote" } }
        try world.wait("it is done") { $0.statuses.last?.phase == .idle }
        #expect(!world.remote.exists("b") && !world.folder.exists("b"))
        #expect(try world.remote.names(in: "many").count == 300)
        #expect(try setAside(world).isEmpty)
    }

    @Test func aDatabaseOfALaterVersionIsRefusedAndLeftAsItIs() throws {
        for statement in ["INSERT INTO grdb_migrations VALUES ('of a later version')", "PRAGMA user_version = 2"] {
            let directory = try TemporaryDirectory()
            let path = directory.path.appending("trees.db")
            try SQLiteStore(path: path).setValue([7], for: .localRoot)
            try DatabaseQueue(path: path.string).writeWithoutTransaction { try $0.execute(sql: statement) }
            let failure = #expect(throws: StoreFailure.self) { _ = try StoreFile.open(path) }
            #expect(failure?.kind == .later)
            #expect(failure?.explanation.code == .storeLater)
            #expect(try !directory.names().contains { $0.contains("damaged") })
        }
    }

    @Test func noDatabaseThatWasSetAsideIsOverwritten() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        for text in ["first", "second", "third"] {
            try directory.write(String(repeating: text, count: 1_000), to: "trees.db")
            let opened = try StoreFile.open(path)
            #expect(opened.warning?.code == .storeDamaged)
            opened.store.close()
        }
        #expect(try directory.read("trees.db.damaged").hasPrefix("first"))
        #expect(try directory.read("trees.db.damaged-2").hasPrefix("second"))
        #expect(try directory.read("trees.db.damaged-3").hasPrefix("third"))
    }

    @Test func rowsThatNobodyCanReadAreDamageAsWell() throws {
        let world = try stoppedWorld()
        try world.restart {
            let queue = try DatabaseQueue(path: world.state.path.appending("trees.db").string)
            try queue.write { try $0.execute(sql: "UPDATE local SET version = x'00' WHERE parent = 1") }
            try queue.close()
        } then: { _ in
            try self.begin(world)
        }
        try world.wait("it is set aside") { $0.warnings.contains { $0.code == .storeDamaged } }
        try world.wait("it goes on") { $0.statuses.last?.phase == .idle }
        #expect(try setAside(world).isEmpty == false)
        #expect(try world.remote.names().filter { $0 != ".roundel" } == ["a", "b", "c"])
    }

    /// Damages a page of the database that nothing reads here, while it is closed.
    private func damageUnreadPage(_ world: FolderWorld) throws {
        let path = world.state.path.appending("trees.db").string
        let queue = try DatabaseQueue(path: path)
        let (page, size) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'earlier'") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        try queue.close()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 7, count: size))
        try file.close()
    }

    @Test(arguments: [true, false])
    func aDatabaseIsCheckedOnlyIfItWasNotClosed(_ wasClosed: Bool) throws {
        let world = try stoppedWorld()
        let runs = world.record.runs.count
        try world.restart {
            try self.damageUnreadPage(world)
            // Its journal is there until the database is closed.
            if !wasClosed { try world.state.write("", to: "trees.db-wal") }
        } then: { _ in
            try self.begin(world)
        }
        try world.wait("it goes on") { $0.runs.count > runs }
        #expect(world.record.warnings.contains { $0.code == .storeDamaged } != wasClosed)
        #expect(try setAside(world).isEmpty == wasClosed)
        #expect(try world.remote.names().filter { $0 != ".roundel" } == ["a", "b", "c"])
    }

    @Test func whatIsAskedWhileTheDatabaseIsCheckedIsDoneAfterwards() throws {
        let world = try stoppedWorld()
        try world.restart {
            try world.state.write("", to: "trees.db-wal")
            try world.folder.write("d", to: "d")
        } then: { _ in
            let sync = world.sync
            world.loop.post {
                sync.start()
                sync.command(.pause)
            }
        }
        try world.wait("it is paused") { $0.statuses.last?.phase == .paused }
        let sync = world.sync
        world.loop.post { sync.command(.resume) }
        try world.wait("it goes on") { $0.activities.contains { $0.path.description == "d" } }
        #expect(try setAside(world).isEmpty && world.remote.read("d") == "d")
    }

    @Test func aFolderThatIsStoppedWhileItsDatabaseIsCheckedStops() throws {
        let world = try stoppedWorld()
        try world.restart {
            try world.state.write("", to: "trees.db-wal")
        } then: { _ in
            let sync = world.sync
            world.loop.post {
                sync.start()
                sync.stop()
            }
        }
        try world.wait("it stops") { $0.isStopped }
    }

    @Test func aStateDirectoryThatCannotBeMadeIsSaid() throws {
        let place = try TemporaryDirectory()
        try place.write("a file", to: "state")
        let failure = #expect(throws: StoreFailure.self) {
            _ = try StoreFile.open(place.path.appending("state").appending("trees.db"))
        }
        #expect(failure?.kind == .unusable)
    }
}

extension TemporaryDirectory {
    /// Writes until the file system is full.
    fileprivate func fill(_ name: String) throws {
        _ = FileManager.default.createFile(atPath: path.appending(name).string, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path.appending(name).string))
        for size in [1 << 16, 1 << 12] {
            while (try? file.write(contentsOf: Data(count: size))) != nil {}
        }
        try file.close()
    }
}
