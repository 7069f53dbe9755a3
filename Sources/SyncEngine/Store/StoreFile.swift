import Glibc
import SyncCore
import SystemPackage

/// Opens a folder's database, or makes a new one in the place of a damaged one.
enum StoreFile {
    /// A store that was opened.
    struct Opened {
        var store: SQLiteStore
        /// What is to be said if the database had to be set aside.
        var warning: Explanation?
        /// Whether the program that used it last ended without closing it, so that it is to be checked before anything
        /// follows from what is in it. It is not locked then.
        var isUnchecked = false
    }

    /// What was found in a database while it was used, which opening alone may not find.
    enum Damage {
        case none
        /// SQLite called something in it damage, which it also does with a page that could not be read once. The database
        /// is looked through before anything follows.
        case suspected(times: Int)
        case certain(StoreFailure)
    }

    /// The store at `path`.
    ///
    /// Nothing is lost with a database but the knowledge of what was synced: the session finds no base, compares both
    /// sides anew and deletes nothing.
    static func open(_ path: FilePath, _ damage: Damage = .none) throws(StoreFailure) -> Opened {
        do {
            _ = try DirectoryHandle.creating(absolute: path.removingLastComponent())
            let isSuspected: Bool
            switch damage {
            case .none: isSuspected = false
            case .suspected: isSuspected = true
            case .certain(let failure): throw failure
            }
            let isUnchecked = try isSuspected || wasLeftOpen(path)
            return Opened(store: try openTwice(path, isShared: isUnchecked), isUnchecked: isUnchecked)
        } catch {
            let failure = StoreFailure(path: path, error)
            guard failure.kind == .damaged else { throw failure }
            return Opened(store: try replace(path), warning: failure.explanation)
        }
    }

    /// The store at `path`. SQLite may take a page that could not be read for damage: damage is what is found twice, in
    /// files that can be read.
    private static func openTwice(_ path: FilePath, isShared: Bool) throws -> SQLiteStore {
        do {
            return try SQLiteStore(path: path, isShared: isShared)
        } catch let failure as StoreFailure where failure.kind == .damaged {
            try readThrough(path)
            return try SQLiteStore(path: path, isShared: isShared)
        }
    }

    /// Reads the database and its journal, to know whether that can be done.
    static func readThrough(_ path: FilePath) throws(Errno) {
        let directory = try DirectoryHandle(absolute: path.removingLastComponent())
        for suffix in ["", journalSuffix] {
            guard let name = name(of: path, suffix) else { continue }
            do throws(Errno) {
                let file = try directory.open(name, O_RDONLY)
                var (buffer, offset) = ([UInt8](repeating: 0, count: 1 << 16), UInt64(0))
                while case let count = try file.read(into: &buffer, at: offset), count > 0 { offset += UInt64(count) }
            } catch .noSuchFileOrDirectory {
                // The journal need not be there.
            }
        }
    }

    /// Whether the database was not closed by whoever used it last: then its journal would be gone.
    private static func wasLeftOpen(_ path: FilePath) throws(Errno) -> Bool {
        guard let journal = name(of: path, journalSuffix) else { return false }
        do throws(Errno) {
            _ = try DirectoryHandle(absolute: path.removingLastComponent()).status(of: journal)
            return true
        } catch .noSuchFileOrDirectory {
            return false
        }
    }

    private static func replace(_ path: FilePath) throws(StoreFailure) -> SQLiteStore {
        do {
            try setAside(path)
            return try SQLiteStore(path: path)
        } catch {
            throw StoreFailure(path: path, error)
        }
    }

    /// Renames a damaged database and its journal, so that it can be looked into; none that was set aside before is
    /// replaced.
    private static func setAside(_ path: FilePath) throws(Errno) {
        let directory = try DirectoryHandle(absolute: path.removingLastComponent())
        let taken = Set(try directory.names())
        var number = 1
        while suffixes.contains(where: { name(of: path, mark(number) + $0).map(taken.contains) ?? false }) {
            number += 1
        }
        // The database first: SQLite throws away a journal that has none.
        for suffix in suffixes {
            guard let from = name(of: path, suffix), let to = name(of: path, mark(number) + suffix) else { continue }
            do throws(Errno) {
                try directory.renameWithoutReplacing(from, to: to, in: directory)
            } catch .noSuchFileOrDirectory {
                // The journal need not be there.
            }
        }
    }

    private static let journalSuffix = "-wal"
    private static let suffixes = ["", journalSuffix, "-shm"]

    private static func mark(_ number: Int) -> String { number == 1 ? ".damaged" : ".damaged-\(number)" }

    private static func name(of path: FilePath, _ suffix: String) -> EntryName? {
        path.lastName.flatMap { EntryName($0.bytes + Array(suffix.utf8)) }
    }
}
