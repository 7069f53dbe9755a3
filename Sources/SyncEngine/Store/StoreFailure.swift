import GRDB
import SyncCore
package import SystemPackage

/// Why a database could not be used.
package struct StoreFailure: Error, Sendable, CustomStringConvertible {
    /// What follows from it.
    package enum Kind: Hashable, Sendable {
        /// The file is no sound database. It is set aside; what it knew is found again by comparing both sides.
        case damaged
        /// A later version of the program wrote it. It is left alone.
        case later
        /// Another program has it open.
        case locked
        /// There is no space to write to it.
        case full
        /// It cannot be opened, read or written now.
        case unusable
        /// What it was to say is not durable on one of the sides.
        case ahead
    }

    /// Its file.
    package var path: FilePath
    /// What follows.
    package var kind: Kind
    /// What SQLite or the system says.
    package var reason: String

    /// What an error of the store, or on the way to it, means.
    init(path: FilePath, _ error: any Error) {
        self.path = path
        switch error {
        case let failure as StoreFailure: self = failure
        case is LaterVersion: (kind, reason) = (.later, "")
        case let error as DatabaseError: (kind, reason) = (Self.kind(error), error.message ?? "\(error.resultCode)")
        case let error as EffectFailure: (kind, reason) = (.ahead, error.message)
        case let error as Errno where error == .noSpace || error == .diskQuotaExceeded:
            (kind, reason) = (.full, "\(error)")
        default: (kind, reason) = (.unusable, "\(error)")
        }
    }

    /// Only what SQLite calls damage is damage: everything else passes, and the database with it must not.
    private static func kind(_ error: DatabaseError) -> Kind {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
        case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
        case .SQLITE_FULL: .full
        default: .unusable
        }
    }

    /// A sentence for the person.
    package var description: String {
        switch kind {
        case .damaged:
            "The sync database \(path) is damaged (\(reason)). It is set aside; both sides are compared anew, and nothing "
                + "is deleted."
        case .later:
            "The sync database \(path) was written by a later version of Roundel. Nothing is synced with this version; "
                + "install the later one."
        case .locked:
            "The sync database \(path) is locked by another program. Nothing is synced until that ends; then it goes on "
                + "by itself."
        case .full:
            "There is no space left for the sync database \(path). Free some space; then it goes on by itself."
        case .ahead: "Changes could not be made durable. \(reason)"
        case .unusable:
            "The sync database \(path) cannot be used: \(reason). Nothing is synced until it can; it is tried again from "
                + "time to time."
        }
    }
}

/// The database has tables of which this version knows nothing.
struct LaterVersion: Error {}
