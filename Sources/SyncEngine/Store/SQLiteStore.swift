import Foundation
import GRDB
package import SyncCore
package import SystemPackage

/// The trees of one folder in an SQLite database.
///
/// There is one connection, and one open transaction between two commits. The journal is a write-ahead log with
/// `synchronous=NORMAL`: a power failure may lose commits, but never half of one, and never an earlier commit without
/// the later ones. The session commits only after the effects that a commit describes are durable, so the database may
/// lag behind the disk but never gets ahead of it. What the database lost is found again by scanning, as after a crash.
package final class SQLiteStore: TreeStore {
    private let queue: DatabaseQueue
    /// The connection while `withConnection` runs, which saves each call the detour through the queue.
    private var connection: Database?
    /// Whether something was written since the last commit.
    private var isInTransaction = false
    /// Whether the connection is reading in a transaction of `withConnection`.
    private var isReading = false
    private var statements: [StoreQuery: StoreStatement] = [:]
    /// Rows of the three trees, by the tree's raw value. Twice as many have room, more than a session has in progress.
    var nodeCache = Tree.allCases.map { _ in RowCache<Node>(limit: 3_072) }
    var statusCache = RowCache<NodeStatus>(limit: 3_072)
    var countsCache = RowCache<StateCounts>(limit: 1_024)
    /// By the tree's raw value; nothing is known of the synced tree.
    var listings = Tree.allCases.map { _ in KnownListings() }
    private var nextID: Int64
    private var storedNextID: Int64

    /// Opens the database at `path`, created or brought up to date as needed.
    ///
    /// - Parameter isShared: Whether another connection can check it, until ``lock()``.
    /// - Throws: `StoreFailure`. Only a damaged database may be moved aside.
    package convenience init(path: FilePath, isShared: Bool = false) throws {
        PrivateFile.prepare(path)
        do {
            let configuration = Self.configuration(isLocked: !isShared, isInMemory: false)
            try self.init(DatabaseQueue(path: path.string, configuration: configuration))
        } catch {
            throw StoreFailure(path: path, error)
        }
    }

    /// A store that exists only as long as this object.
    package convenience init(inMemory: Void) throws {
        try self.init(DatabaseQueue(configuration: Self.configuration(isLocked: false, isInMemory: true)))
    }

    private init(_ queue: DatabaseQueue) throws {
        self.queue = queue
        try queue.inDatabase { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if try version != 0 || TreeSchema.migrator.hasBeenSuperseded(database) { throw LaterVersion() }
        }
        try TreeSchema.migrator.migrate(queue)
        nextID = try queue.inDatabase { try Self.loadNextID($0) }
        storedNextID = nextID
        try queue.inDatabase { try noteStoredRows($0) }
    }

    deinit {
        // A connection that closes inside a transaction calls hooks of objects that no longer exist.
        if isInTransaction { try? queue.unsafeReentrantWrite { try $0.execute(sql: "ROLLBACK") } }
    }

    /// Keeps all other connections out from now on.
    func lock() throws {
        try read { try $0.execute(sql: Self.lockForGood) }
    }

    /// Checks the whole database at `path` on a separate connection, which may take seconds; nil if it is sound.
    ///
    /// SQLite also reports a page as damaged if it could not be read. So it counts as damage only if it is found twice,
    /// in a file that can be read from beginning to end.
    static func damage(at path: FilePath) -> StoreFailure? {
        guard let found = finding(at: path), found.kind == .damaged else { return nil }
        do throws(Errno) {
            try StoreFile.readThrough(path)
        } catch {
            return StoreFailure(path: path, error)
        }
        return finding(at: path).flatMap { $0.kind == .damaged ? $0 : nil }
    }

    private static func finding(at path: FilePath) -> StoreFailure? {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path.string, configuration: configuration)
            let finding = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            if finding != "ok" { throw DatabaseError(resultCode: reason(of: finding ?? ""), message: finding) }
            return nil
        } catch {
            return StoreFailure(path: path, error)
        }
    }

    /// The cause of a finding of quick_check. A page that could not be read, perhaps only for now, is reported like
    /// damage, but with an error number.
    static func reason(of finding: String) -> ResultCode {
        guard let text = finding.components(separatedBy: "error code=").dropFirst().first,
            let number = CInt(text.prefix { $0.isASCII && $0.isNumber })
        else { return .SQLITE_CORRUPT }
        return ResultCode(rawValue: number)
    }

    /// With the lock held permanently, statements do not acquire and release it.
    private static let lockForGood = "PRAGMA locking_mode=EXCLUSIVE"

    private static func configuration(isLocked: Bool, isInMemory: Bool) -> Configuration {
        SQLiteLibrary.prepare()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            if isLocked { try database.execute(sql: lockForGood) }
            if !isInMemory { try database.execute(sql: "PRAGMA journal_mode=WAL") }
            try database.execute(
                sql: "PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8000; PRAGMA temp_store=MEMORY; "
                    + "PRAGMA wal_autocheckpoint=8000")
        }
        return configuration
    }

    /// Runs `body` with the connection at hand: faster than the same calls one by one.
    package func withConnection<Result>(_ body: () throws -> Result) rethrows -> Result {
        if connection != nil { return try body() }
        return try queue.unsafeReentrantWrite { database in
            connection = database
            defer {
                endReading(database)
                connection = nil
            }
            return try body()
        }
    }

    /// The statement of a query that reads. All that `withConnection` reads is one transaction: otherwise each statement
    /// would begin and end its own.
    private func reading(_ query: StoreQuery, _ database: Database) throws -> StoreStatement {
        if connection != nil && !isInTransaction && !isReading {
            try statement(.begin, database).run()
            isReading = true
        }
        return try statement(query, database)
    }

    private func endReading(_ database: Database) {
        guard isReading else { return }
        isReading = false
        guard database.isInsideTransaction else { return }
        // Nothing was written in it, and a failure of the file shows at the next statement.
        do { try statement(.commit, database).run() } catch { try? database.execute(sql: "ROLLBACK") }
    }

    /// Runs `body` without opening a transaction, to read.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let connection { return try body(connection) }
        return try queue.unsafeReentrantWrite(body)
    }

    /// Runs `body` inside the transaction that `commit` ends.
    func write(_ body: (Database) throws -> Void) throws {
        try read { database in
            if !isInTransaction {
                // SQLite ends what only reads by itself after some errors.
                if !isReading || !database.isInsideTransaction { try statement(.beginWriting, database).run() }
                (isInTransaction, isReading) = (true, false)
            }
            // SQLite rolls a transaction back by itself after some errors. Later changes would then be committed
            // without the earlier ones.
            guard database.isInsideTransaction else {
                throw DatabaseError(resultCode: .SQLITE_ABORT, message: "The transaction was rolled back.")
            }
            try body(database)
        }
    }

    /// The statement of a query, prepared when it is first used.
    private func statement(_ query: StoreQuery, _ database: Database) throws -> StoreStatement {
        if let statement = statements[query] { return statement }
        let statement = StoreStatement(try database.makeStatement(sql: query.sql))
        statements[query] = statement
        return statement
    }

    /// Executes a statement that changes data.
    func execute(_ query: StoreQuery, _ bind: (StoreStatement) -> Void) throws {
        try write { database in
            let statement = try statement(query, database)
            bind(statement)
            try statement.run()
        }
    }

    /// The rows of a query.
    func rows<Row>(
        _ query: StoreQuery, _ bind: (StoreStatement) -> Void, _ row: (StoreStatement) throws -> Row
    ) throws -> [Row] {
        try read { database in
            let statement = try reading(query, database)
            bind(statement)
            return try statement.rows(row)
        }
    }

    /// Whether all rows of a query satisfy a condition; stops at the first row for which it returns nil.
    func allRows(
        _ query: StoreQuery, _ bind: (StoreStatement) -> Void, satisfy condition: (StoreStatement) throws -> Bool?
    ) throws -> Bool {
        try read { database in
            let statement = try reading(query, database)
            bind(statement)
            return try statement.all(condition)
        }
    }

    /// The first row of a query; nil if there is none.
    func first<Row>(
        _ query: StoreQuery, _ bind: (StoreStatement) -> Void, _ row: (StoreStatement) throws -> Row
    ) throws -> Row? {
        try read { database in
            let statement = try reading(query, database)
            bind(statement)
            return try statement.first(row)
        }
    }

    /// Executes SQL that rarely runs.
    func execute(_ sql: String) throws {
        try write { try $0.execute(sql: sql) }
    }

    /// Commits everything written so far.
    package func commit() throws {
        for tree in Tree.allCases { try flushNodes(tree) }
        try flushStatuses()
        try flushCounts()
        if nextID != storedNextID {
            try execute(.setValue) { statement in
                statement.bind(Self.nextIDKey, at: 1)
                statement.bind(Array("\(nextID)".utf8), at: 2)
            }
            storedNextID = nextID
        }
        guard isInTransaction else { return }
        isInTransaction = false
        try read { try statement(.commit, $0).run() }
    }

    /// Discards everything written since the last commit.
    package func rollBack() throws {
        forgetRows()
        forgetListings()
        guard isInTransaction else { return }
        isInTransaction = false
        storedNextID = 0
        try read { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
    }

    /// Whether nothing was written since the last commit.
    var isCommitted: Bool {
        !isInTransaction && statusCache.isWritten && countsCache.isWritten && nodeCache.allSatisfy(\.isWritten)
    }

    /// Between two runs: moves the journal into the database and frees memory.
    package func rest() {
        guard isCommitted else { return }
        forgetRows()
        // A checkpoint that fails now happens after the next run.
        try? read { database in
            _ = try database.checkpoint(.truncate)
            try database.execute(sql: "PRAGMA shrink_memory")
        }
    }

    /// Closes the connection; no call may follow.
    func close() {
        statements = [:]
        try? queue.close()
    }

    /// An id that no row has or had. Ids handed out since the last commit are not used again by this object.
    package func makeNodeID() throws -> NodeID {
        defer { nextID += 1 }
        return NodeID(nextID)
    }

    /// Everything stored was replaced: continues the numbering of ids from the stored number.
    func reload() throws {
        forgetRows()
        forgetListings()
        try read { database in
            nextID = try Self.loadNextID(database)
            storedNextID = nextID
            try noteStoredRows(database)
        }
    }

    /// Tells the caches up to which id the tables have rows.
    private func noteStoredRows(_ database: Database) throws {
        func highest(_ table: String) throws -> NodeID {
            NodeID(try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table)") ?? 0)
        }
        for tree in Tree.allCases {
            nodeCache[Int(tree.rawValue)].noteTable(upTo: try highest(TreeSchema.table(tree)))
        }
        statusCache.noteTable(upTo: try highest("status"))
        countsCache.noteTable(upTo: try highest("counts"))
    }

    func forgetListings() {
        for index in listings.indices { listings[index].forgetAll() }
    }

    /// Drops the cached rows, including those that wait to be written.
    func forgetRows() {
        for index in nodeCache.indices { nodeCache[index].forget() }
        statusCache.forget()
        countsCache.forget()
    }

    private static let nextIDKey = "next-id"

    private static func loadNextID(_ database: Database) throws -> Int64 {
        let stored = try Data.fetchOne(database, sql: "SELECT value FROM value WHERE key = ?", arguments: [nextIDKey])
        let number = stored.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        return number ?? NodeID.root.rawValue + 1
    }
}
