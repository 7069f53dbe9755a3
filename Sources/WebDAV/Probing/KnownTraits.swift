internal import Synchronization

/// What is known of a server now. It can be found out anew while the server is used.
package final class KnownTraits: Sendable {
    private let traits: Mutex<ServerTraits>

    /// What was found before.
    package init(_ traits: ServerTraits) { self.traits = Mutex(traits) }

    /// What is known now.
    package var current: ServerTraits { traits.withLock { $0 } }

    /// Something else was found.
    package func replace(with found: ServerTraits) { traits.withLock { $0 = found } }
}
