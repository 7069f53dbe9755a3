public import DBus

/// What a sync engine may offer beside badges. Each is an interface of its own, which the engine names among its services.
public enum EngineInterface: String, CaseIterable, Sendable {
    /// The synced folders: their state, settings and log, and when they are synced.
    case folders = "Folders"
    /// Items that were changed on both sides.
    case conflicts = "Conflicts"
    /// Versions that syncing replaced or deleted, and that can be restored.
    case trash = "Trash"
    /// How much of the network folders may use.
    case network = "Network"
    /// Logins at servers.
    case accounts = "Accounts"
    /// Comparing both sides byte by byte.
    case verification = "Verification"
    /// Where the contents of items are: on this computer, or on the remote alone.
    case contents = "Contents"
    /// What folders could sync with, before one is added.
    case remotes = "Remotes"
    /// Sharing items with others.
    case shares = "Shares"

    /// The interface's name on the bus.
    public var name: String { "org.roundel.Roundel1.Engine." + rawValue }
}

/// Where an engine is called.
public struct EngineAddress: Hashable, Sendable {
    /// Its unique or well-known name on the bus.
    public var busName: String
    /// The object with the interface.
    public var object: ObjectPath

    /// Creates an address.
    public init(busName: String, object: ObjectPath) {
        self.busName = busName
        self.object = object
    }

    /// The bundled sync worker, which a call starts if it does not run.
    public static let bundled = EngineAddress(busName: Names.worker, object: Names.workerPath)
}
