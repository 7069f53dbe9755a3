internal import Synchronization

/// The known traits of a server, which may be determined again while the server is used.
package final class KnownTraits: Sendable {
    private let traits: Mutex<ServerTraits>

    /// The traits from an earlier probe.
    package init(_ traits: ServerTraits) { self.traits = Mutex(traits) }

    /// The traits that are known now.
    package var current: ServerTraits { traits.withLock { $0 } }

    /// Sets new traits.
    package func replace(with found: ServerTraits) { traits.withLock { $0 = found } }
}
