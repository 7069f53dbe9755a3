internal import BadgeEngine
internal import DBus
internal import RoundelBus

/// `org.roundel.Roundel1.Host` on the bus: reads the arguments and passes them to the engine.
struct HostInterface {
    /// Handles the calls, and has the values of the properties.
    let driver: EngineDriver
    /// Notices when callers leave.
    let clients: ClientWatch
    /// The property `WatchStatus`.
    let watchStatus: () -> VariantMap

    /// The interface for the bus.
    var exported: Interface {
        Interface(
            Names.host, methods: observing + badges + menus + facts, properties: properties,
            signals: [
                Interface.Signal(
                    "BadgesChanged", [("directory_uri", "s"), ("names", "as")] + Self.values + [("extra", "a{sv}")]),
                Interface.Signal("MenuChanged", [("menu_id", "t"), ("items", "aa{sv}"), ("extra", "a{sv}")]),
                Interface.Signal(
                    "ActionFinished",
                    [("menu_id", "t"), ("item_id", "s"), ("outcome", "u"), ("message", "s"), ("extra", "a{sv}")]),
                Interface.Signal("Reset", [("extra", "a{sv}")]),
            ])
    }

    private static let values: [Interface.Argument] = [("badges", "as"), ("flags", "au"), ("progress", "ay")]
    private static let options: [Interface.Argument] = [("options", "a{sv}")]
    private static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    /// A method whose arguments `read` turns into a request.
    private func method(
        _ name: String, _ input: [Interface.Argument], _ output: [Interface.Argument], follows: Bool = false,
        _ read: @escaping (_ reader: inout MessageReader, _ caller: String) throws -> HostRequest
    ) -> Interface.Method {
        Interface.Method(name, in: input + Self.options, out: output + Self.extra) { [driver, clients] call in
            var reader = call.reader
            let caller = call.sender
            let request = try read(&reader, caller)
            if follows { clients.follow(caller) }
            guard driver.submit(request, from: caller, call) else {
                throw DBusError(.tooManyCalls(Limits.callsPerCaller))
            }
        }
    }

    private var observing: [Interface.Method] {
        [
            method("BeginObserving", [("directory_uri", "s")], [("monitored", "b")], follows: true) { reader, _ in
                .beginObserving(try reader.readItemURI())
            },
            method("EndObserving", [("directory_uri", "s")], []) { reader, _ in
                .endObserving(try reader.readItemURI())
            },
        ]
    }

    private var badges: [Interface.Method] {
        [
            method("RequestBadges", [("directory_uri", "s"), ("names", "as")], Self.values) { [driver] reader, caller in
                let directory = try reader.readItemURI()
                let names = try reader.readItemNames { driver.engine.names(in: directory, observedBy: caller) }
                return .requestBadges(directory, names)
            },
            method(
                "RequestDirectory", [("directory_uri", "s"), ("after", "s"), ("limit", "u")],
                [("names", "as")] + Self.values + [("next", "s")]
            ) { reader, _ in
                .requestDirectory(
                    try reader.readItemURI(), after: try reader.readOptionalItemName(), limit: try reader.readUInt32())
            },
        ]
    }

    private var menus: [Interface.Method] {
        [
            method(
                "GetMenu", [("kind", "u"), ("target_uri", "s"), ("selected_uris", "as")],
                [("menu_id", "t"), ("items", "aa{sv}")], follows: true
            ) { reader, _ in
                .getMenu(
                    kind: try reader.readUInt32(), target: try reader.readOptionalItemURI(),
                    selection: try reader.readItemURIs())
            },
            method("Activate", [("menu_id", "t"), ("item_id", "s")], []) { reader, _ in
                .activate(
                    menu: try reader.readUInt64(), item: try reader.readString(),
                    ActivationOptions(wire: try reader.readOptions()))
            },
        ]
    }

    private var facts: [Interface.Method] {
        [
            method("GetAttributes", [("uri", "s"), ("keys", "as")], [("attributes", "a{sv}")]) { reader, _ in
                .getAttributes(try reader.readItemURI(), keys: try reader.readKeys())
            },
            method(
                "GetItemService", [("uri", "s"), ("interface", "s")], [("bus_name", "s"), ("path", "o")]
            ) { reader, _ in
                .getItemService(try reader.readItemURI(), interface: try reader.readString())
            },
        ]
    }
}

extension MessageReader {
    /// Reads the keys of GetAttributes, at most one more than allowed: that is enough for the engine to refuse them.
    fileprivate mutating func readKeys() throws -> [String] {
        var keys: [String] = []
        try forEachString { bytes in
            if keys.count <= Limits.attributeKeys { keys.append(String(decoding: bytes, as: UTF8.self)) }
        }
        return keys
    }
}

extension ChangedProperties {
    /// `WatchStatus`, which is not a property of the engine.
    static let watchStatus = ChangedProperties(rawValue: 128)
}

extension HostInterface {
    /// The names of the properties that the engine reports as changed.
    static func names(of properties: ChangedProperties) -> [String] {
        let all: [(ChangedProperties, String)] = [
            (.folders, "Folders"), (.badges, "Badges"), (.toolbarItem, "ToolbarItem"), (.folderStatus, "FolderStatus"),
            (.watchStatus, "WatchStatus"), (.addsFolders, "AddsFolders"),
        ]
        return all.filter { properties.contains($0.0) }.map(\.1)
    }

    private var properties: [Interface.Property] {
        [
            .version,
            Interface.Property("Folders", "as") { [driver] in try $0.append(uris: driver.engine.folders) },
            Interface.Property("Badges", "a{s(ss)}") { [driver] writer in
                try writer.appendDictionary(key: "s", value: "(ss)") { entries in
                    for image in driver.engine.badgeImages {
                        try entries.entry { writer in
                            try writer.append(image.badge.identifier)
                            try writer.appendStruct { writer in
                                try writer.append(image.label)
                                try writer.append(image.icon)
                            }
                        }
                    }
                }
            },
            Interface.Property("IconThemePath", "s", .const) { try $0.append(ServiceInstallation.iconThemePath) },
            Interface.Property("ToolbarItem", "(sss)") { [driver] in
                try $0.append(value: driver.engine.toolbarItem.wire)
            },
            Interface.Property("FolderStatus", "a{s(usy)}") { [driver] writer in
                try writer.appendDictionary(key: "s", value: "(usy)") { entries in
                    for (folder, status) in driver.engine.folderStatus {
                        try entries.entry { writer in
                            try writer.append(folder)
                            try writer.appendStruct { writer in
                                try writer.append(status.state.rawValue)
                                try writer.append(status.text)
                                try writer.append(status.progress)
                            }
                        }
                    }
                }
            },
            Interface.Property("WatchStatus", "a{sv}") { [watchStatus] in
                try $0.append(map: watchStatus())
            },
            Interface.Property("AddsFolders", "b") { [driver] in try $0.append(driver.engine.addsFolders) },
        ]
    }
}
