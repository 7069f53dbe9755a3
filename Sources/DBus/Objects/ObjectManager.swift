/// `org.freedesktop.DBus.ObjectManager` (D-Bus specification, "Standard Interfaces"): provides the objects below one
/// object, with their properties, at once, and signals for later changes.
///
/// It lists only the interfaces that are exported through it, so that private interfaces of an object need not be part
/// of the list.
public final class ObjectManager {
    private unowned let connection: Connection
    private let root: ObjectPath
    private let exported: Registration
    private let managed: ManagedObjects

    static let name = "org.freedesktop.DBus.ObjectManager"

    /// Exports the interface at `root`, until ``cancel()``.
    ///
    /// - Throws: `InvalidArgs` if `root` already has one.
    public init(at root: ObjectPath, on connection: Connection) throws(DBusError) {
        let managed = ManagedObjects()
        self.connection = connection
        self.root = root
        self.managed = managed
        exported = try connection.export(Self.interface(managed), at: root)
    }

    /// Exports an interface of an object below the root and announces it; cancelling the registration announces that
    /// it is gone.
    ///
    /// - Throws: `InvalidArgs` if the object is not below the root, or has that interface already.
    public func export(_ interface: Interface, at path: ObjectPath) throws(DBusError) -> Registration {
        guard path != root, path.rawValue.hasPrefix(root == .root ? "/" : root.rawValue + "/") else {
            throw .invalidArgs("“\(path)” is not below “\(root)”.")
        }
        let registration = try connection.export(interface, at: path)
        managed.insert(interface, at: path)
        emit("InterfacesAdded") { writer in
            try writer.append(path)
            try ManagedObjects.write([interface], to: &writer)
        }
        return Registration { [weak self] in
            registration.cancel()
            guard let self else { return }
            managed.remove(interface.name, at: path)
            emit("InterfacesRemoved") { writer in
                try writer.append(path)
                try writer.append(strings: [interface.name])
            }
        }
    }

    /// Removes the interface from the root. Objects exported below it remain.
    public func cancel() { exported.cancel() }

    private func emit(_ signal: String, _ write: (inout MessageWriter) throws -> Void) {
        // Without a bus there is nobody to notify.
        try? connection.emit(root, Self.name, signal, write)
    }

    private static func interface(_ managed: ManagedObjects) -> Interface {
        Interface(
            name,
            methods: [
                .init("GetManagedObjects", out: [("objects", "a{oa{sa{sv}}}")]) { call in
                    call.reply { try managed.write(to: &$0) }
                }
            ],
            signals: [
                .init("InterfacesAdded", [("object", "o"), ("interfaces", "a{sa{sv}}")]),
                .init("InterfacesRemoved", [("object", "o"), ("interfaces", "as")]),
            ])
    }
}

/// The interfaces that a manager lists, by object, in the order in which they were exported.
private final class ManagedObjects {
    private struct Object {
        /// The number of the object, in the order of their export.
        let number: UInt64
        var interfaces: [Interface] = []
    }

    private var objects: [ObjectPath: Object] = [:]
    private var lastNumber: UInt64 = 0

    func insert(_ interface: Interface, at path: ObjectPath) {
        if objects[path] == nil {
            lastNumber += 1
            objects[path] = Object(number: lastNumber)
        }
        objects[path]?.interfaces.append(interface)
    }

    func remove(_ interface: String, at path: ObjectPath) {
        objects[path]?.interfaces.removeAll { $0.name == interface }
        if objects[path]?.interfaces.isEmpty ?? false { objects[path] = nil }
    }

    func write(to writer: inout MessageWriter) throws {
        try writer.appendDictionary(key: "o", value: "a{sa{sv}}") { dictionary in
            for (path, object) in objects.sorted(by: { $0.value.number < $1.value.number }) {
                try dictionary.entry { entry in
                    try entry.append(path)
                    try Self.write(object.interfaces, to: &entry)
                }
            }
        }
    }

    /// Writes interfaces with the current values of their properties as `a{sa{sv}}`.
    static func write(_ interfaces: [Interface], to writer: inout MessageWriter) throws {
        try writer.appendDictionary(key: "s", value: "a{sv}") { dictionary in
            for interface in interfaces {
                try dictionary.entry { entry in
                    try entry.append(interface.name)
                    try StandardInterfaces.write(interface.properties, to: &entry)
                }
            }
        }
    }
}
