package import SyncCore

/// A remote behind a network. Nothing is mounted in it, what it has confirmed is its own affair, and each call of it ends:
/// every request has a deadline, and what moves contents one for silence.
package protocol NetworkRemote: Remote {}

extension NetworkRemote {
    /// Each call ends by itself.
    package var endsCalls: Bool { true }

    /// Requests at the same time: behind a network, waiting is most of each.
    package func parallelism() async -> Int { 8 }

    /// Connections that are not used are closed by themselves.
    package func rest() {}

    /// A row that says that something is mounted is of another remote.
    package func requireMounted(_ paths: [RelativePath]) async throws(EffectFailure) {
        if let path = paths.first { throw EffectFailure(.notMounted, Explanation(.notMounted, .remote, "\(path)")) }
    }

    /// What was confirmed outlives the power of this computer.
    package func syncRenames(_ items: [BarrierItem]) async throws(EffectFailure) {}

    /// The identity of a root that is known by its mark alone; nil for one that carries none.
    package static func rootIdentity(mark: String?) -> Token {
        RootIdentity(mark: mark, inode: 0, born: 0, keepsInode: false).token
    }
}
