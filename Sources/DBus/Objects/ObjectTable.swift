internal import CDBus
internal import Glibc

/// The objects that a connection exports.
final class ObjectTable {
    private var objects = NameTable<ExportedObject>()
    private let peer = ExportedInterface(StandardInterfaces.peerInterface)

    func object(_ path: ObjectPath) -> ExportedObject? { objects[path.rawValue] }

    /// - Throws: `InvalidArgs` if the object already has such an interface, or the interface is malformed.
    func insert(_ interface: Interface, at path: ObjectPath) throws(DBusError) {
        try interface.validate()
        guard !StandardInterfaces.names.contains(interface.name) else {
            throw .invalidArgs("“\(interface.name)” is provided for every object already.")
        }
        let object = objects[path.rawValue] ?? makeObject(path)
        guard object.interfaces[interface.name] == nil else {
            throw .invalidArgs("“\(path)” exports “\(interface.name)” already.")
        }
        object.interfaces.insert(ExportedInterface(interface), interface.name)
    }

    func remove(_ interface: String, at path: ObjectPath) {
        guard let object = objects[path.rawValue] else { return }
        object.interfaces.remove(interface)
        if object.interfaces.names.allSatisfy(StandardInterfaces.names.contains) { objects.remove(path.rawValue) }
    }

    func removeAll() { objects = NameTable() }

    /// The last path elements of the objects directly below `path`: exported ones and ancestors of exported ones.
    func children(of path: ObjectPath) -> [String] {
        let prefix = path.rawValue == "/" ? "/" : path.rawValue + "/"
        let below = objects.names.filter { $0.hasPrefix(prefix) && $0.utf8.count > prefix.utf8.count }
        return Set(below.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).sorted()
    }

    private func makeObject(_ path: ObjectPath) -> ExportedObject {
        let object = ExportedObject(path)
        for interface in [
            StandardInterfaces.introspectable(path, in: self) { [weak object] in
                object?.interfaces.values.map(\.definition) ?? []
            }, StandardInterfaces.properties(of: object),
            StandardInterfaces.peerInterface,
        ] {
            object.interfaces.insert(ExportedInterface(interface), interface.name)
        }
        objects.insert(object, path.rawValue)
        return object
    }

    // MARK: Dispatch

    /// Calls the handler of the method, or refuses the call.
    func dispatch(_ message: Message, on connection: Connection) {
        let call = MethodCall(message, on: connection)
        do {
            let method = try method(for: message)
            let definition = method.definition
            let matches = definition.inputSignature.rawValue.withCString {
                dbus_message_has_signature(message.pointer, $0) != 0
            }
            guard matches else {
                throw DBusError.invalidArgs(
                    "“\(definition.name)” takes arguments of types “\(definition.inputSignature)”, "
                        + "not “\(message.signature)”.")
            }
            guard let admission = method.admission else { return try definition.handler(call) }
            admission(call) { [weak self] in self?.run(call) }
        } catch { call.fail(.from(error)) }
    }

    /// Calls the handler for an admitted call. Its interface may have been withdrawn or replaced meanwhile.
    private func run(_ call: MethodCall) {
        do {
            try method(for: call.message).definition.handler(call)
        } catch { call.fail(.from(error)) }
    }

    private func method(for message: Message) throws(DBusError) -> ExportedMethod {
        guard let path = dbus_message_get_path(message.pointer), let member = dbus_message_get_member(message.pointer)
        else { throw DBusError(.inconsistentMessage, "The call names no object or no method.") }
        let interface = dbus_message_get_interface(message.pointer)
        if let interface, strcmp(interface, DBUS_INTERFACE_PEER) == 0, let method = peer.methods.lookup(member) {
            return method
        }
        guard let object = objects.lookup(path) ?? wayPoint(message) else {
            throw DBusError(.unknownObject, "There is no object “\(String(cString: path))”.")
        }
        guard let interface else {
            let exported = object.interfaces.values.lazy.compactMap { $0.methods.lookup(member) }.first
            if let exported { return exported }
            throw unknownMethod(message)
        }
        guard let exported = object.interfaces.lookup(interface) else {
            throw DBusError(
                .unknownInterface,
                "The object “\(object.path)” has no interface “\(String(cString: interface))”.")
        }
        if let method = exported.methods.lookup(member) { return method }
        throw unknownMethod(message)
    }

    /// An object that only has children can be introspected, so that clients can walk the tree.
    private func wayPoint(_ message: Message) -> ExportedObject? {
        guard let path = message.path, path == .root || !children(of: path).isEmpty else { return nil }
        let object = ExportedObject(path)
        let interface = StandardInterfaces.introspectable(path, in: self) { [] }
        object.interfaces.insert(ExportedInterface(interface), interface.name)
        return object
    }

    private func unknownMethod(_ message: Message) -> DBusError {
        DBusError(
            .unknownMethod,
            "There is no method “\(message.member ?? "")” on “\(message.interface ?? message.path?.rawValue ?? "")”.")
    }
}

/// One exported object.
final class ExportedObject {
    let path: ObjectPath
    var interfaces = NameTable<ExportedInterface>()

    init(_ path: ObjectPath) { self.path = path }
}

/// One interface of an exported object.
final class ExportedInterface {
    let definition: Interface
    let methods: NameTable<ExportedMethod>

    init(_ definition: Interface) {
        self.definition = definition
        var methods = NameTable<ExportedMethod>()
        for method in definition.methods {
            methods.insert(ExportedMethod(method, definition.admission), method.name)
        }
        self.methods = methods
    }

    func property(_ name: String) -> Interface.Property? {
        definition.properties.first { $0.name == name }
    }
}

/// One method of an exported interface: a class, so that looking it up copies one reference.
final class ExportedMethod {
    let definition: Interface.Method
    let admission: Interface.Admission?

    init(_ definition: Interface.Method, _ admission: Interface.Admission?) {
        self.definition = definition
        self.admission = admission
    }
}

extension Connection {
    /// Exports `interface` at `path`, until the registration is cancelled. The object also has the standard interfaces
    /// Introspectable, Properties and Peer.
    ///
    /// - Throws: `InvalidArgs` if the object already has that interface, or a name in it is malformed.
    public func export(_ interface: Interface, at path: ObjectPath) throws(DBusError) -> Registration {
        try objects.insert(interface, at: path)
        return Registration { [weak self] in self?.objects.remove(interface.name, at: path) }
    }

    /// Emits PropertiesChanged for `properties` of an exported interface with their current values. Properties declared
    /// as `.invalidates` are announced without their value. If they are too large for one signal, each gets its own.
    ///
    /// - Throws: `UnknownObject`, `UnknownInterface`, `UnknownProperty`, `LimitsExceeded` if one alone is too large,
    ///   and any error of a getter. If one of them cannot be announced, the others may be.
    public func emitPropertiesChanged(_ properties: [String], of interface: String, at path: ObjectPath) throws {
        guard isConnected else { throw DBusError.disconnected }
        guard let object = objects.object(path) else {
            throw DBusError(.unknownObject, "There is no object “\(path)”.")
        }
        let exported = try StandardInterfaces.interface(interface, of: object)
        let changed = try properties.map { try StandardInterfaces.property($0, of: exported) }
        do {
            try emit(changed, of: interface, at: path)
        } catch let error as DBusError where error.standard == .limitsExceeded && changed.count > 1 {
            var failure: (any Error)?
            for property in changed {
                do { try emit([property], of: interface, at: path) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    private func emit(_ changed: [Interface.Property], of interface: String, at path: ObjectPath) throws {
        try emit(path, StandardInterfaces.propertiesName, "PropertiesChanged") { writer in
            try writer.append(interface)
            try StandardInterfaces.write(changed.filter { $0.change != .invalidates }, to: &writer)
            try writer.append(strings: changed.filter { $0.change == .invalidates }.map(\.name))
        }
    }
}
