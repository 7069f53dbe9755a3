internal import Synchronization

/// The known traits of a server, which may be determined again while the server is used.
package final class KnownTraits: Sendable {
    private let traits: Mutex<ServerTraits>
    /// The largest body of a request that may get through; nil if none was refused for its size.
    private let body = Mutex<Int64?>(nil)
    /// Whether the synced collection had no lasting ID when it was last looked at.
    private let isRootWithoutID = Mutex(false)
    /// A limit below this is no limit on the size of requests.
    private static let leastBody: Int64 = 64 << 10

    /// The traits from an earlier probe.
    package init(_ traits: ServerTraits) { self.traits = Mutex(traits) }

    /// The traits that are known now.
    package var current: ServerTraits { traits.withLock { $0 } }

    /// The server refuses conditions of a kind that hold: it counts as a server without them until the next probe.
    func noteRefused(_ condition: ConditionKind) {
        traits.withLock { traits in
            switch condition {
            case .write: traits.honoursMatch = false
            case .move: traits.honoursMatchInMoves = false
            case .target: traits.honoursMatchOfTarget = false
            }
        }
    }

    /// Whether the server gives items no lasting IDs, as far as the synced collection shows that.
    var givesNoIDs: Bool { isRootWithoutID.withLock { $0 } }

    /// The synced collection was looked at.
    ///
    /// - Parameter hasID: Whether it has a lasting ID.
    func noteRoot(hasID: Bool) { isRootWithoutID.withLock { $0 = !hasID } }

    /// The largest body of a request that may get through; nil if none was refused for its size.
    var largestBody: Int64? { body.withLock { $0 } }

    /// A request with a body of `sent` bytes was refused for its size, by the server or by a proxy.
    ///
    /// - Parameter size: The size of the file in bytes, which has a part in how small its chunks can be.
    /// - Returns: Whether smaller ones may get through.
    func noteTooLarge(_ sent: Int64, of size: Int64) -> Bool {
        body.withLock { body in
            let next = min(body ?? .max, sent / 4)
            guard next >= Self.leastBody, ChunkedUpload.length(next, of: size) < sent else { return false }
            body = next
            return true
        }
    }

    /// Sets new traits.
    package func replace(with found: ServerTraits) { traits.withLock { $0 = found } }
}
