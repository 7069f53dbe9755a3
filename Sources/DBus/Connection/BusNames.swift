/// The bus itself, as a service.
enum BusDaemon {
    static let name = "org.freedesktop.DBus"
    static let path: ObjectPath = "/org/freedesktop/DBus"
    static let interface = "org.freedesktop.DBus"
}

/// The options for requesting a well-known name.
public struct NameFlags: OptionSet, Sendable {
    /// The bits of the protocol.
    public let rawValue: UInt32
    /// Creates a set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another connection may take over the name.
    public static let allowReplacement = NameFlags(rawValue: 1)
    /// Take the name over from an owner that allows it.
    public static let replaceExisting = NameFlags(rawValue: 2)
    /// Do not wait for the name if it is not available now.
    public static let doNotQueue = NameFlags(rawValue: 4)
}

/// The reply to a request for a name.
public enum NameReply: UInt32, Sendable {
    /// The connection owns the name now.
    case primaryOwner = 1
    /// Another connection owns it; this one is in the queue.
    case inQueue = 2
    /// Another connection owns it, and this one is not in the queue.
    case exists = 3
    /// The connection owned it already.
    case alreadyOwner = 4

    /// Whether the connection owns the name.
    public var isOwner: Bool { self == .primaryOwner || self == .alreadyOwner }
}

/// What the bus knows about the process that opened a connection.
public struct PeerCredentials: Sendable {
    /// The ID of the process; nil if the bus does not know it.
    public let processID: UInt32?
    /// A descriptor of the process, which continues to refer to it even if its ID is reused; nil if the bus provides
    /// none (dbus before 1.16).
    public let process: OwnedFileDescriptor?

    /// Creates credentials from the reply of a bus.
    public init(processID: UInt32?, process: OwnedFileDescriptor?) {
        self.processID = processID
        self.process = process
    }
}

extension Connection {
    /// Calls a method of the bus.
    @discardableResult
    func callBus<T>(
        _ member: String, _ write: (inout MessageWriter) throws -> Void,
        read: @escaping (inout MessageReader) throws -> T, _ onReply: @escaping (Result<T, DBusError>) -> Void
    ) -> PendingCall {
        call(BusDaemon.name, BusDaemon.path, BusDaemon.interface, member, write) { result in
            onReply(
                result.flatMap { message in
                    do {
                        var reader = message.reader
                        return .success(try read(&reader))
                    } catch { return .failure(.from(error)) }
                })
        }
    }

    /// Requests the well-known name `name`.
    @discardableResult
    public func requestName(
        _ name: String, flags: NameFlags = [], _ onReply: @escaping (Result<NameReply, DBusError>) -> Void
    ) -> PendingCall {
        callBus(
            "RequestName",
            { writer in
                try writer.append(name)
                try writer.append(flags.rawValue)
            }, read: { NameReply(rawValue: try $0.readUInt32()) ?? .exists }, onReply)
    }

    /// Releases the well-known name `name`.
    public func releaseName(_ name: String, _ onReply: @escaping (Result<Void, DBusError>) -> Void = { _ in }) {
        callBus("ReleaseName", { try $0.append(name) }, read: { _ in () }, onReply)
    }

    /// The unique name of the owner of `name`; `NameHasNoOwner` if there is none.
    public func getOwner(of name: String, _ onReply: @escaping (Result<String, DBusError>) -> Void) {
        callBus("GetNameOwner", { try $0.append(name) }, read: { try $0.readString() }, onReply)
    }

    /// The process id of the connection that owns `name`.
    public func getProcessID(of name: String, _ onReply: @escaping (Result<UInt32, DBusError>) -> Void) {
        callBus("GetConnectionUnixProcessID", { try $0.append(name) }, read: { try $0.readUInt32() }, onReply)
    }

    /// The credentials of the process that opened the connection `name`.
    public func getCredentials(of name: String, _ onReply: @escaping (Result<PeerCredentials, DBusError>) -> Void) {
        callBus(
            "GetConnectionCredentials", { try $0.append(name) },
            read: { reader in
                let map = try reader.readVariantMap()
                var process: OwnedFileDescriptor?
                if case .fileDescriptor(let descriptor) = map["ProcessFD"] { process = descriptor }
                return PeerCredentials(processID: map.uint32("ProcessID"), process: process)
            }, onReply)
    }

    /// Makes the bus start the service `name` if it is not running. Success means that it runs.
    public func startService(_ name: String, _ onReply: @escaping (Result<Void, DBusError>) -> Void) {
        callBus(
            "StartServiceByName",
            { writer in
                try writer.append(name)
                try writer.append(UInt32(0))
            }, read: { _ in () }, onReply)
    }

    /// Calls `onChange` with the unique name of the owner of `name`, nil for none: first with the current one, then
    /// after each change.
    public func watchName(
        _ name: String, _ onChange: @escaping (String?) -> Void
    ) throws(DBusError) -> Registration {
        // Doubly optional: nil means that nothing is known yet.
        var told: String??
        var isActive = true
        func tell(_ owner: String?) {
            guard isActive, told == nil || told != .some(owner) else { return }
            told = .some(owner)
            onChange(owner)
        }
        let subscription = try subscribe(.ownerChanged(arguments: [0: name])) { message in
            guard let change = OwnerChange(message) else { return }
            tell(change.newOwner)
        }
        getOwner(of: name) { result in tell(try? result.get()) }
        return Registration {
            isActive = false
            subscription.cancel()
        }
    }

    /// Calls `onGone` once when the connection `uniqueName` has left the bus, or immediately if it is not there.
    public func watchDisappearance(
        of uniqueName: String, _ onGone: @escaping () -> Void
    ) throws(DBusError) -> Registration {
        var registration: Registration?
        let leave = {
            guard let active = registration, active.isActive else { return }
            active.cancel()
            onGone()
        }
        let subscription = try subscribe(.ownerChanged(arguments: [0: uniqueName, 2: ""])) { _ in leave() }
        registration = Registration {
            subscription.cancel()
            registration = nil
        }
        getOwner(of: uniqueName) { result in
            if case .failure(let error) = result, error.standard == .nameHasNoOwner { leave() }
        }
        return registration ?? subscription
    }

    /// Calls `onDeparture` with the unique name of every connection that leaves the bus.
    public func watchDepartures(_ onDeparture: @escaping (String) -> Void) throws(DBusError) -> Registration {
        try subscribe(.ownerChanged(arguments: [2: ""])) { message in
            guard let change = OwnerChange(message), change.name.utf8.first == UInt8(ascii: ":") else { return }
            onDeparture(change.name)
        }
    }
}

/// The arguments of the bus' signal NameOwnerChanged.
private struct OwnerChange {
    let name: String
    let newOwner: String?

    init?(_ message: Message) {
        var reader = message.reader
        guard let name = try? reader.readString(), (try? reader.readString()) != nil,
            let owner = try? reader.readString()
        else { return nil }
        self.name = name
        self.newOwner = owner.isEmpty ? nil : owner
    }
}

extension MatchRule {
    fileprivate static func ownerChanged(arguments: [Int: String]) -> MatchRule {
        MatchRule(
            sender: BusDaemon.name, path: BusDaemon.path, interface: BusDaemon.interface,
            member: "NameOwnerChanged", arguments: arguments)
    }
}
