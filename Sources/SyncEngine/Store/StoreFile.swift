import Glibc
import SyncCore
import SystemPackage

/// Opens a folder's database, or replaces a damaged one with a new one.
enum StoreFile {
    /// A store that was opened.
    struct Opened {
        var store: SQLiteStore
        /// The warning to show if the database had to be set aside.
        var warning: Explanation?
        /// Whether the last program that used the database did not close it. It must then be checked before anything
        /// relies on its contents, and is not locked until then.
        var isUnchecked = false
    }

    /// Damage that was found while a database was used, and that opening it alone may not find.
    enum Damage {
        case none
        /// SQLite reported damage, which it also does if a page could not be read once. The database is checked before
        /// anything relies on it.
        case suspected(times: Int)
        case certain(StoreFailure)
    }

    /// The store at `path`.
    ///
    /// With a database, only the knowledge of what was synced is lost: the session finds no base, compares both sides
    /// again and deletes nothing.
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

    /// The store at `path`. SQLite may report a page that could not be read as damage, so it counts as damage only if
    /// it is found twice, in files that can be read.
    private static func openTwice(_ path: FilePath, isShared: Bool) throws -> SQLiteStore {
        do {
            return try SQLiteStore(path: path, isShared: isShared)
        } catch let failure as StoreFailure where failure.kind == .damaged {
            try readThrough(path)
            return try SQLiteStore(path: path, isShared: isShared)
        }
    }

    /// Reads the database and its journal, to find out whether they are readable.
    static func readThrough(_ path: FilePath) throws(Errno) {
        let directory = try DirectoryHandle(absolute: path.removingLastComponent())
        for suffix in ["", journalSuffix] {
            guard let name = name(of: path, suffix) else { continue }
            do throws(Errno) {
                let file = try directory.open(name, O_RDONLY)
                var (buffer, offset) = ([UInt8](repeating: 0, count: 1 << 16), UInt64(0))
                while case let count = try file.read(into: &buffer, at: offset), count > 0 { offset += UInt64(count) }
            } catch .noSuchFileOrDirectory {
                // The journal may not exist.
            }
        }
    }

    /// Whether the last user of the database did not close it: closing removes the journal.
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

    /// Renames a damaged database and its journal, so that they can be examined. Never replaces one that was set aside
    /// before.
    private static func setAside(_ path: FilePath) throws(Errno) {
        let directory = try DirectoryHandle(absolute: path.removingLastComponent())
        let taken = Set(try directory.names())
        var number = 1
        while suffixes.contains(where: { name(of: path, mark(number) + $0).map(taken.contains) ?? false }) {
            number += 1
        }
        // The database first: SQLite deletes a journal that has no database.
        for suffix in suffixes {
            guard let from = name(of: path, suffix), let to = name(of: path, mark(number) + suffix) else { continue }
            do throws(Errno) {
                try directory.renameWithoutReplacing(from, to: to, in: directory)
            } catch .noSuchFileOrDirectory {
                // The journal may not exist.
            }
        }
    }

    private static let journalSuffix = "-wal"
    private static let suffixes = ["", journalSuffix, "-shm"]

    /// Whether a damaged database was set aside at `path`.
    static func wasSetAside(_ path: FilePath) -> Bool {
        guard let name = name(of: path, mark(1)),
            let directory = try? DirectoryHandle(absolute: path.removingLastComponent())
        else { return false }
        return (try? directory.status(of: name)) != nil
    }

    private static func mark(_ number: Int) -> String { number == 1 ? ".damaged" : ".damaged-\(number)" }

    private static func name(of path: FilePath, _ suffix: String) -> EntryName? {
        path.lastName.flatMap { EntryName($0.bytes + Array(suffix.utf8)) }
    }
}
