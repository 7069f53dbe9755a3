package import SyncCore

/// A store that the simulation can crash, lose and bring back old.
package protocol CrashableStore: AnyObject {
    /// The store as a session uses it; another object after each of the members below.
    var trees: any TreeStore { get }
    /// What a crash leaves: the last commit.
    func crash() throws
    /// Keeps a copy of the last commit.
    func backUp() throws
    /// Brings the copy back, if there is one.
    func restoreBackup() throws
    /// Loses everything.
    func lose() throws
}

extension CrashableStore {
    /// Whether it knows the roots of both sides.
    func knowsRoots() throws -> Bool {
        try [StoreKey.localRoot, .remoteRoot].allSatisfy { try trees.value($0) != nil }
    }
}

/// The simplest store: dictionaries, and a copy of them for each commit.
package final class CrashableMemoryStore: CrashableStore {
    private var store = MemoryTreeStore()
    private var backup: MemoryTreeStore.State?

    /// An empty store.
    package init() {}

    /// See `CrashableStore`.
    package var trees: any TreeStore { store }
    /// See `CrashableStore`.
    package func crash() { store = MemoryTreeStore(store.committed) }
    /// See `CrashableStore`.
    package func backUp() { backup = store.committed }
    /// See `CrashableStore`.
    package func restoreBackup() { if let backup { store = MemoryTreeStore(backup) } }
    /// See `CrashableStore`.
    package func lose() { store = MemoryTreeStore() }
}
