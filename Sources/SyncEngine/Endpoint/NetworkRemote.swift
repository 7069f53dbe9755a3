package import SyncCore

/// A remote behind a network. Nothing is mounted in it, what it confirmed is durable without further calls, and each
/// call ends: every request has a deadline, and transfers have one for silence.
package protocol NetworkRemote: Remote {}

extension NetworkRemote {
    /// Each call ends by itself.
    package var endsCalls: Bool { true }

    /// How many requests to make at the same time: behind a network, most of each is waiting.
    package func parallelism() async -> Int { 8 }

    /// Unused connections close by themselves.
    package func rest() {}

    /// A row with a mounted file system comes from another remote.
    package func requireMounted(_ paths: [RelativePath]) async throws(EffectFailure) {
        if let path = paths.first { throw EffectFailure(.notMounted, Explanation(.notMounted, .remote, "\(path)")) }
    }

    /// What the server confirmed survives a power failure of this computer.
    package func syncRenames(_ items: [BarrierItem]) async throws(EffectFailure) {}

    /// The identity of a root that is identified by its mark alone; for a root without a mark, `mark` is nil.
    package static func rootIdentity(mark: String?) -> Token {
        RootIdentity(mark: mark, inode: 0, born: 0, keepsInode: false).token
    }
}
