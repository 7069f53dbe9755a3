public import DBus

/// Every bus name, object path, interface name and path suffix of Roundel, in one place.
public enum Names {
    /// The badge service.
    public static let service = "org.roundel.Roundel1"
    /// The object at which the badge service exports all its interfaces.
    public static let servicePath: ObjectPath = "/org/roundel/Roundel1"
    /// For programs that show items: file managers, dialogs, the command line.
    public static let host = "org.roundel.Roundel1.Host"
    /// For sync engines that announce folders and badges.
    public static let registry = "org.roundel.Roundel1.Registry"
    /// For the settings: list, enable and disable providers.
    public static let providers = "org.roundel.Roundel1.Providers"
    /// The interface that a provider implements at its registered object.
    public static let provider = "org.roundel.Provider1"

    /// The bundled sync worker.
    public static let worker = "org.roundel.SyncWorker1"
    /// The object at which the worker exports the interfaces of an engine and implements ``provider``.
    public static let workerPath: ObjectPath = "/org/roundel/SyncWorker1"
    /// The worker's provider ID, also the name of its manifest file.
    public static let workerProviderID = "roundel"

    /// The window, an application of the Desktop Entry Specification.
    package static let window = "org.roundel.Window"
    /// The object of the window.
    package static let windowPath: ObjectPath = "/org/roundel/Window"

    /// Prefix of the D-Bus names of Roundel's errors.
    public static let errorPrefix = "org.roundel.Error."
    /// Folder of the provider manifests below each XDG data directory.
    package static let manifestFolder = "roundel/providers"
    /// Extension of a provider manifest's file name, with its dot.
    package static let manifestSuffix = ".provider"
    /// Folder of Roundel's state below `$XDG_STATE_HOME`.
    package static let stateFolder = "roundel"
}

/// The version of each interface, which is the value of its `Version` property.
public let interfaceVersion: UInt32 = 1

/// The release of Roundel, as `--version` prints it.
package let roundelRelease = "0.1.0"
