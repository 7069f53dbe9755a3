package import Support
package import SyncCore

extension Patience.Syncing {
    /// The pauses of a session. SyncCore, which imports nothing, has their values.
    package static let session = SessionPauses().mapped(Patience.pause)
}
