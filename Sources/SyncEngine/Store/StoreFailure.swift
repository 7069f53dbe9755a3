import GRDB
package import SyncCore
import SystemPackage

/// Why a database could not be used.
package struct StoreFailure: Error, Sendable {
    /// What kind of failure it is, which decides what happens next.
    package enum Kind: Hashable, Sendable {
        /// The file is not a sound database. It is set aside; comparing both sides recovers what it knew.
        case damaged
        /// A later version of the program wrote it. It is left alone.
        case later
        /// Another program has it open.
        case locked
        /// There is no space to write to it.
        case full
        /// It cannot be opened, read or written now.
        case unusable
        /// What the database was about to record is not durable on one of the sides.
        case ahead
    }

    /// The kind of failure.
    package let kind: Kind
    /// The message for the user.
    package let explanation: Explanation

    /// Classifies an error of the store at `path`, or from preparing it.
    init(path: FilePath, _ error: any Error) {
        switch error {
        case let failure as StoreFailure: self = failure
        case is LaterVersion: self.init(.later, path, "")
        case is UnreadableRow: self.init(.damaged, path, "a row of a tree cannot be read")
        case let error as DatabaseError: self.init(Self.kind(error), path, error.message ?? "\(error.resultCode)")
        case let error as EffectFailure: self.init(.ahead, error.message)
        case let error as Errno where error == .noSpace || error == .diskQuotaExceeded:
            self.init(.full, path, "\(error)")
        default: self.init(.unusable, path, "\(error)")
        }
    }

    /// - Parameter reason: What SQLite or the system says.
    private init(_ kind: Kind, _ path: FilePath, _ reason: String) {
        let code: Explanation.Code =
            switch kind {
            case .damaged: .storeDamaged
            case .later: .storeLater
            case .locked: .storeLocked
            case .full: .storeFull
            case .unusable, .ahead: .storeUnusable
            }
        self.init(kind, Explanation(code, nil, "\(path)", reason))
    }

    private init(_ kind: Kind, _ explanation: Explanation) {
        self.kind = kind
        self.explanation = explanation
    }

    /// The same failure while it is uncertain whether it was damage or a read that failed once.
    var asSuspicion: StoreFailure {
        StoreFailure(.unusable, Explanation(.storeUnusable, explanation.side, explanation.arguments))
    }

    /// Only what SQLite calls damage counts as damage: all other failures are temporary, and must not cost the
    /// database.
    private static func kind(_ error: DatabaseError) -> Kind {
        switch error.resultCode {
        // A new row violates nothing, unless the table does not say what is in it.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT: .damaged
        case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
        case .SQLITE_FULL: .full
        default: .unusable
        }
    }
}

/// A row that this program cannot have written.
struct UnreadableRow: Error {}

/// The database has tables that this version does not know.
struct LaterVersion: Error {}
