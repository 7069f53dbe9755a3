internal import CDBus

/// The interfaces of the D-Bus specification, "Standard Interfaces", that every exported object has.
enum StandardInterfaces {
    static let peer = "org.freedesktop.DBus.Peer"
    static let propertiesName = "org.freedesktop.DBus.Properties"
    static let introspectableName = "org.freedesktop.DBus.Introspectable"
    static let names = [introspectableName, propertiesName, peer]

    static var peerInterface: Interface {
        Interface(
            peer,
            methods: [
                .init("Ping") { $0.reply() },
                .init("GetMachineId", out: [("machine_uuid", "s")]) { call in
                    guard let identifier = dbus_get_local_machine_id() else {
                        throw DBusError(.fileNotFound, "This machine has no identifier in /etc/machine-id.")
                    }
                    let text = String(cString: identifier)
                    dbus_free(identifier)
                    call.reply { try $0.append(text) }
                },
            ])
    }

    /// Introspectable for the object at `path`; `interfaces` returns the exported interfaces at the time of a call.
    static func introspectable(
        _ path: ObjectPath, in table: ObjectTable, _ interfaces: @escaping () -> [Interface]
    ) -> Interface {
        Interface(
            introspectableName,
            methods: [
                .init("Introspect", out: [("xml_data", "s")]) { [weak table] call in
                    let xml = IntrospectionXML.document(
                        interfaces(), children: table?.children(of: path) ?? [])
                    call.reply { try $0.append(xml) }
                }
            ])
    }

    static func properties(of object: ExportedObject) -> Interface {
        Interface(
            propertiesName,
            methods: [
                .init("Get", in: [("interface_name", "s"), ("property_name", "s")], out: [("value", "v")]) {
                    [weak object] call in
                    let property = try requested(call, object)
                    call.reply { try write(property, to: &$0) }
                },
                .init("GetAll", in: [("interface_name", "s")], out: [("properties", "a{sv}")]) {
                    [weak object] call in
                    guard let object else { throw gone }
                    var reader = call.reader
                    let name = try reader.readString()
                    let properties =
                        name.isEmpty
                        ? object.interfaces.values.flatMap(\.definition.properties)
                        : try interface(name, of: object).definition.properties
                    call.reply { try write(properties, to: &$0) }
                },
                .init("Set", in: [("interface_name", "s"), ("property_name", "s"), ("value", "v")]) {
                    [weak object] call in
                    let property = try requested(call, object)
                    throw DBusError(.propertyReadOnly, "The property “\(property.name)” cannot be set.")
                },
            ],
            signals: [
                .init(
                    "PropertiesChanged",
                    [
                        ("interface_name", "s"), ("changed_properties", "a{sv}"),
                        ("invalidated_properties", "as"),
                    ])
            ])
    }

    private static let gone = DBusError(.unknownObject, "The object does not exist any more.")

    /// The property named by the first two arguments of a call; an empty interface means any.
    private static func requested(_ call: MethodCall, _ object: ExportedObject?) throws -> Interface.Property {
        guard let object else { throw gone }
        var reader = call.reader
        let name = try reader.readString()
        let property = try reader.readString()
        guard name.isEmpty else { return try self.property(property, of: interface(name, of: object)) }
        if let found = object.interfaces.values.lazy.compactMap({ $0.property(property) }).first { return found }
        throw DBusError(.unknownProperty, "The object “\(object.path)” has no property “\(property)”.")
    }

    static func interface(_ name: String, of object: ExportedObject) throws(DBusError) -> ExportedInterface {
        guard let exported = object.interfaces[name] else {
            throw DBusError(.unknownInterface, "The object “\(object.path)” has no interface “\(name)”.")
        }
        return exported
    }

    static func property(_ name: String, of interface: ExportedInterface) throws(DBusError) -> Interface.Property {
        guard let property = interface.property(name) else {
            throw DBusError(
                .unknownProperty, "The interface “\(interface.definition.name)” has no property “\(name)”.")
        }
        return property
    }

    /// Writes the properties with their values as an `a{sv}`.
    static func write(_ properties: [Interface.Property], to writer: inout MessageWriter) throws {
        try writer.appendDictionary(key: "s", value: "v") { dictionary in
            for property in properties {
                try dictionary.entry { entry in
                    try entry.append(property.name)
                    try write(property, to: &entry)
                }
            }
        }
    }

    private static func write(_ property: Interface.Property, to writer: inout MessageWriter) throws {
        try writer.appendVariant(of: property.type, property.get)
    }
}
