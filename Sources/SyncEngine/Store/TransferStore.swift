import Foundation
import GRDB
import Glibc
import SyncCore
import SystemPackage

/// The tables of transfers in progress. A write is durable when the call returns, and happens once for some mebibytes.
final class TransferStore {
    private let queue: DatabaseQueue

    /// Opens the database at a path. A damaged one is replaced: that loses nothing but time.
    static func open(_ path: FilePath) throws -> TransferStore {
        do {
            return try TransferStore(path)
        } catch {
            guard StoreFailure(path: path, error).kind == .damaged else { throw error }
            for suffix in ["", "-wal", "-shm"] { unlink(path.string + suffix) }
            return try TransferStore(path)
        }
    }

    private init(_ path: FilePath) throws {
        PrivateFile.prepare(path)
        SQLiteLibrary.prepare()
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                    + "PRAGMA cache_size=-500")
        }
        queue = try DatabaseQueue(path: path.string, configuration: configuration)
        if try queue.read(TransferSchema.migrator.hasBeenSuperseded) { throw LaterVersion() }
        try TransferSchema.migrator.migrate(queue)
    }

    // MARK: Reading

    /// The number of noted transfers.
    func count() throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM transfer") ?? 0 }
    }

    /// Whether nothing is noted.
    func isEmpty() throws -> Bool { try count() == 0 && asides().isEmpty }

    /// All noted transfers, without those that cannot be read.
    func records() throws -> [TransferRecord] {
        try queue.read { database in
            try Row.fetchAll(database, sql: Self.select).compactMap { try Self.record($0, database) }
        }
    }

    /// The noted transfer with this key.
    func record(_ key: TransferLedger.Key) throws -> TransferRecord? {
        try queue.read { database in
            try Row.fetchOne(
                database, sql: Self.select + " WHERE side = ? AND path = ?", arguments: Self.arguments(of: key)
            ).flatMap { try Self.record($0, database) }
        }
    }

    private static let select = "SELECT id, side, path, version, place, upload, chunk, bytes, hash FROM transfer"

    private static func record(_ row: Row, _ database: Database) throws -> TransferRecord? {
        let version = (row["version"] as Data).withUnsafeBytes { VersionCoding.decode($0, identity: nil) }
        guard let side = Side(rawValue: row["side"]), let version, let place = EntryName(Array(row["place"] as Data)),
            let path = path(row["path"])
        else { return nil }
        let upload = (row["upload"] as Data?).flatMap { EntryName(Array($0)) }
        var record = TransferRecord(
            TransferOrigin(side, path, version), at: place, upload: upload)
        record.chunkLength = row["chunk"]
        record.bytes = row["bytes"]
        record.hash = (row["hash"] as Data?).map { ContentHash(Array($0)) }
        let chunks = try Row.fetchAll(
            database, sql: "SELECT number, hash FROM chunk WHERE transfer = ?", arguments: [row["id"] as Int64])
        for chunk in chunks { record.chunks[chunk["number"]] = ContentHash(Array(chunk["hash"] as Data)) }
        return record
    }

    private static func path(_ data: Data) -> RelativePath? {
        let names = data.split(separator: 0x2F).map { EntryName(Array($0)) }
        return names.contains(nil) ? nil : RelativePath(names.compactMap { $0 })
    }

    private static func data(_ path: RelativePath) -> Data {
        Data(path.names.map(\.bytes).joined(separator: [0x2F]))
    }

    // MARK: Directories that are aside

    /// The directories that may be aside, without those that cannot be read.
    func asides() throws -> [AsideRecord] {
        try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT place, path, identity, tag FROM aside").compactMap { row in
                guard let place = EntryName(Array(row["place"] as Data)), let path = Self.path(row["path"]) else {
                    return nil
                }
                return AsideRecord(
                    place: place, path: path, identity: Token(Array(row["identity"] as Data)),
                    tag: Token(Array(row["tag"] as Data)))
            }
        }
    }

    /// Notes a directory that is about to be moved aside.
    func note(_ record: AsideRecord) throws {
        try queue.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO aside (place, path, identity, tag) VALUES (?, ?, ?, ?)",
                arguments: [
                    Data(record.place.bytes), Self.data(record.path), Data(record.identity.bytes),
                    Data(record.tag.bytes),
                ])
        }
    }

    /// Forgets a directory that is no longer aside.
    func forgetAside(_ place: EntryName) throws {
        try queue.write {
            try $0.execute(sql: "DELETE FROM aside WHERE place = ?", arguments: [Data(place.bytes)])
        }
    }

    // MARK: Writing

    /// Notes a transfer, replacing what was noted of it.
    func begin(_ record: TransferRecord) throws {
        let key = TransferLedger.Key(record.origin)
        try queue.write { database in
            try Self.forget(key, database)
            var arguments = Self.arguments(of: key)
            arguments += [
                Data(VersionCoding.encode(record.origin.version, withIdentity: true)), Data(record.place.bytes),
                record.upload.map { Data($0.bytes) }, record.chunkLength,
            ]
            try database.execute(
                sql: "INSERT INTO transfer (side, path, version, place, upload, chunk) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: arguments)
        }
    }

    /// Notes how much is durable.
    func note(bytes: Int64, _ hash: ContentHash, of key: TransferLedger.Key) throws {
        var arguments: StatementArguments = [bytes, Data(hash.bytes)]
        arguments += Self.arguments(of: key)
        try queue.write {
            try $0.execute(
                sql: "UPDATE transfer SET bytes = ?, hash = ? WHERE side = ? AND path = ?", arguments: arguments)
        }
    }

    /// Notes a chunk.
    func note(chunk: Int64, _ hash: ContentHash, of key: TransferLedger.Key) throws {
        var arguments: StatementArguments = [chunk, Data(hash.bytes)]
        arguments += Self.arguments(of: key)
        try queue.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO chunk (transfer, number, hash) "
                    + "SELECT id, ?, ? FROM transfer WHERE side = ? AND path = ?", arguments: arguments)
        }
    }

    /// Forgets a transfer.
    func forget(_ key: TransferLedger.Key) throws {
        try queue.write { try Self.forget(key, $0) }
    }

    private static func forget(_ key: TransferLedger.Key, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM chunk WHERE transfer IN (SELECT id FROM transfer WHERE side = ? AND path = ?)",
            arguments: arguments(of: key))
        try database.execute(
            sql: "DELETE FROM transfer WHERE side = ? AND path = ?", arguments: arguments(of: key))
    }

    private static func arguments(of key: TransferLedger.Key) -> StatementArguments {
        [key.side.rawValue, data(key.path)]
    }
}
