import GRDB
import GRDBSQLite
import SyncCore

/// A prepared statement that is bound and stepped without GRDB's values and rows: the session reads and writes some
/// dozens of rows for each file, and these make up most of its work.
///
/// Parameters are numbered from 1, columns from 0, as SQLite does.
struct StoreStatement {
    /// Owns the statement.
    private let statement: Statement
    private let raw: OpaquePointer

    init(_ statement: Statement) {
        self.statement = statement
        raw = statement.sqliteStatement
    }

    func bind(_ number: Int64, at index: Int32) {
        sqlite3_bind_int64(raw, index, number)
    }

    /// nil is NULL.
    func bind(optional number: Int64?, at index: Int32) {
        if let number { bind(number, at: index) } else { sqlite3_bind_null(raw, index) }
    }

    /// nil is NULL.
    func bind(_ bytes: [UInt8]?, at index: Int32) {
        guard let bytes else {
            sqlite3_bind_null(raw, index)
            return
        }
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(raw, index, 0)
            return
        }
        sqlite3_bind_blob(raw, index, bytes, Int32(bytes.count), Self.copies)
    }

    func bind(_ text: String, at index: Int32) {
        sqlite3_bind_text(raw, index, text, -1, Self.copies)
    }

    /// Steps to the end and leaves the statement ready for the next time.
    func run() throws {
        while try step() {}
    }

    /// Steps through the rows and leaves the statement ready for the next time.
    func rows<Row>(_ read: (StoreStatement) throws -> Row) throws -> [Row] {
        defer { sqlite3_reset(raw) }
        var rows: [Row] = []
        while try step() { rows.append(try read(self)) }
        return rows
    }

    /// Whether all rows satisfy a condition; stops at the first row for which it returns nil. Leaves the statement
    /// ready for the next time.
    func all(_ condition: (StoreStatement) throws -> Bool?) throws -> Bool {
        defer { sqlite3_reset(raw) }
        while try step() {
            guard let isSatisfied = try condition(self) else { return true }
            if !isSatisfied { return false }
        }
        return true
    }

    /// The first row; nil if there is none.
    func first<Row>(_ read: (StoreStatement) throws -> Row) throws -> Row? {
        defer { sqlite3_reset(raw) }
        return try step() ? try read(self) : nil
    }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        sqlite3_column_text(raw, column).map { String(cString: $0) } ?? ""
    }

    /// The bytes of a column, valid until the next step.
    func buffer(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(raw, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
    }

    /// A copy of the bytes of a column; nil if it is NULL.
    func bytes(_ column: Int32) -> [UInt8]? {
        isNull(column) ? nil : Array(buffer(column))
    }

    private func step() throws -> Bool {
        switch sqlite3_step(raw) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(raw)
            return false
        default:
            let code = sqlite3_reset(raw)
            let message = sqlite3_errmsg(sqlite3_db_handle(raw)).map { String(cString: $0) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// SQLite copies what is bound (SQLITE_TRANSIENT, a macro that Swift does not see).
    private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
