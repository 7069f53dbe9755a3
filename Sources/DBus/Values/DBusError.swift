internal import Support

/// The errors that the D-Bus specification and libdbus define, in one table.
public enum StandardError: String, Sendable, CaseIterable {
    /// The general error.
    case failed = "org.freedesktop.DBus.Error.Failed"
    /// Not enough memory, or a message of more than the permitted size.
    case noMemory = "org.freedesktop.DBus.Error.NoMemory"
    /// The bus knows no service with this name and cannot start one.
    case serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// The name has no owner.
    case nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    /// No reply came in time, or the receiver left before it replied.
    case noReply = "org.freedesktop.DBus.Error.NoReply"
    /// Reading or writing failed.
    case ioError = "org.freedesktop.DBus.Error.IOError"
    /// The address of a bus is malformed or of a kind that is not supported.
    case badAddress = "org.freedesktop.DBus.Error.BadAddress"
    /// The operation is not supported.
    case notSupported = "org.freedesktop.DBus.Error.NotSupported"
    /// A limit was exceeded.
    case limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    /// A policy forbids it.
    case accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    /// The bus did not accept the credentials.
    case authenticationFailed = "org.freedesktop.DBus.Error.AuthFailed"
    /// There is no bus.
    case noServer = "org.freedesktop.DBus.Error.NoServer"
    /// It took too long.
    case timeout = "org.freedesktop.DBus.Error.Timeout"
    /// The network cannot be reached.
    case noNetwork = "org.freedesktop.DBus.Error.NoNetwork"
    /// The address is in use.
    case addressInUse = "org.freedesktop.DBus.Error.AddressInUse"
    /// The connection is closed.
    case disconnected = "org.freedesktop.DBus.Error.Disconnected"
    /// The arguments have the wrong types or values.
    case invalidArgs = "org.freedesktop.DBus.Error.InvalidArgs"
    /// A file was not found.
    case fileNotFound = "org.freedesktop.DBus.Error.FileNotFound"
    /// The object has no such method.
    case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    /// There is no such object.
    case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    /// The object has no such interface.
    case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    /// The interface has no such property.
    case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    /// The property cannot be set.
    case propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    /// It timed out.
    case timedOut = "org.freedesktop.DBus.Error.TimedOut"
    /// The match rule to remove does not exist.
    case matchRuleNotFound = "org.freedesktop.DBus.Error.MatchRuleNotFound"
    /// The match rule is malformed.
    case matchRuleInvalid = "org.freedesktop.DBus.Error.MatchRuleInvalid"
    /// The process id of a connection is not known.
    case unixProcessIdUnknown = "org.freedesktop.DBus.Error.UnixProcessIdUnknown"
    /// The text is not a type signature.
    case invalidSignature = "org.freedesktop.DBus.Error.InvalidSignature"
    /// A message does not follow the protocol.
    case inconsistentMessage = "org.freedesktop.DBus.Error.InconsistentMessage"
    /// The activated program ended before it owned its name.
    case spawnChildExited = "org.freedesktop.DBus.Error.Spawn.ChildExited"
    /// The activated program could not be run.
    case spawnExecFailed = "org.freedesktop.DBus.Error.Spawn.ExecFailed"
    /// The activation failed.
    case spawnFailed = "org.freedesktop.DBus.Error.Spawn.Failed"
    /// No service file provides the name.
    case spawnServiceNotFound = "org.freedesktop.DBus.Error.Spawn.ServiceNotFound"
}

/// A D-Bus error: its name, and a sentence for the user.
public struct DBusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error's name, for example `org.freedesktop.DBus.Error.NoReply`.
    public let name: String

    /// What went wrong.
    public let message: String

    /// Creates an error with any name. A name that D-Bus does not permit is sent as `Failed`.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// Creates an error of the standard's table.
    public init(_ standard: StandardError, _ message: String) {
        self.name = standard.rawValue
        self.message = message
    }

    /// The standard error with this name; nil if it is not one.
    public var standard: StandardError? { StandardError(rawValue: name) }

    /// The name and the message, for users and logs.
    public var description: String { "\(name): \(message)" }

    /// The error for arguments with wrong types or values.
    public static func invalidArgs(_ message: String) -> DBusError { DBusError(.invalidArgs, message) }

    /// The general error.
    public static func failed(_ message: String) -> DBusError { DBusError(.failed, message) }

    /// The error for a closed connection.
    public static let disconnected = DBusError(.disconnected, tr("The connection to the bus is closed."))

    /// The error if libdbus could not allocate memory.
    static let outOfMemory = DBusError(.noMemory, "There is not enough memory for the D-Bus message.")

    /// Converts a thrown error for the bus: itself, or `Failed` with its description.
    static func from(_ thrown: any Error) -> DBusError {
        thrown as? DBusError ?? .failed(String(describing: thrown))
    }
}
