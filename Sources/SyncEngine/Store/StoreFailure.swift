import GRDB
package import SyncCore
import SystemPackage

/// Why a database could not be used.
package struct StoreFailure: Error, Sendable {
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

    /// What follows.
    package let kind: Kind
    /// What is to be said of it.
    package let explanation: Explanation

    /// What an error of the store at `path`, or on the way to it, means.
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

    /// The same before it is known whether it was damage, or something that could not be read once.
    var asSuspicion: StoreFailure {
        StoreFailure(.unusable, Explanation(.storeUnusable, explanation.side, explanation.arguments))
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
}

/// A row is none that this program can have written.
struct UnreadableRow: Error {}

/// The database has tables of which this version knows nothing.
struct LaterVersion: Error {}
