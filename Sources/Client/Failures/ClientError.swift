package import RoundelBus

/// Why something that a front end asked for cannot be, as far as this library decides it. Services throw `DBusError`.
package enum ClientError: Error, Hashable, Sendable {
    /// The engine that owns the item does not offer this.
    case notOffered(engine: String, EngineInterface)
    /// No engine has this id.
    case notInstalled(engine: String)
    /// The engine offers the interface without this part of it.
    case engineCannot(engine: String)
    /// The engine does not run, or does not answer.
    case engineSilent(engine: String)
    /// The item is not in a synced folder.
    case notInFolder(ItemURI)
    /// The item is not a synced folder itself.
    case notAFolder(ItemURI)
    /// The call has not ended in time; what it started goes on.
    case unfinished
    /// The bus closed the connection.
    case busClosed
    /// The folder's remote is one of rclone, which keeps its logins itself.
    case loginKeptByRclone
    /// The folder's remote is a directory, which needs no login.
    case needsNoLogin(folder: String)
    /// The item of a menu cannot be chosen at the moment.
    case disabledAction(label: String, id: String)
    /// No menu for these items has this item.
    case unknownAction(id: String)
    /// The badge service left the bus before the action was finished.
    case serviceLeft
}
