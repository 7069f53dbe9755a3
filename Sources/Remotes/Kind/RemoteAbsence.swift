/// Why a folder or its remote is not available, classified by what can be done about it.
package enum RemoteAbsence: Hashable, Sendable {
    /// A server cannot be reached, or not at the moment. This is not an error: it is normal while traveling.
    case passing
    /// A server requires a login.
    case login
    /// A server changed, or no longer exists: the user has to act.
    case server
    /// A server sends invalid responses; this may pass.
    case trouble
    /// A directory does not exist.
    case directory
    /// This computer lacks something for the moment, such as descriptors or memory. Nothing is known about the remote.
    case shortage
}
