import SimulatedWorld
import SyncCore
import SyncEngine

/// The real store, in memory, for one history after the other.
final class CrashableSQLiteStore: CrashableStore {
    private let base: SQLiteStore
    private var current: SQLiteStore
    private var saved: SQLiteStore?

    init() throws {
        base = try SQLiteStore(inMemory: ())
        current = base
    }

    var trees: any TreeStore { current }

    /// Runs a history on an empty store.
    func run(_ script: SimulatedScript, isVerbose: Bool) throws -> UInt64 {
        current = base
        saved = nil
        return try base.withConnection {
            try base.rollBack()
            try base.removeEverything()
            return try SimulatedHistory.run(script, store: self, isVerbose: isVerbose)
        }
    }

    func crash() throws { try current.rollBack() }
    func backUp() throws {
        try current.rollBack()
        saved = try current.backup()
    }
    func restoreBackup() throws { if let saved { current = try saved.backup() } }
    func lose() throws { try current.removeEverything() }
}
