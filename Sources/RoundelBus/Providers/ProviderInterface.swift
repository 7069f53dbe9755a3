internal import DBus

/// Exports a ``Provider`` as `org.roundel.Provider1` on the bus.
enum ProviderInterface {
    static func make(for provider: any Provider) -> Interface {
        Interface(
            Names.provider, methods: observing(provider) + badges(provider) + menus(provider) + facts(provider),
            properties: [.version])
    }

    private static func observing(_ provider: any Provider) -> [Interface.Method] {
        let input: [Interface.Argument] = [("directory_uri", "s"), ("options", "a{sv}")]
        let output: [Interface.Argument] = [("extra", "a{sv}")]
        return [
            Interface.Method("BeginObserving", in: input, out: output) { call in
                var reader = call.reader
                provider.beginObserving(try reader.readItemURI())
                call.reply { try $0.appendNoExtras() }
            },
            Interface.Method("EndObserving", in: input, out: output) { call in
                var reader = call.reader
                provider.endObserving(try reader.readItemURI())
                call.reply { try $0.appendNoExtras() }
            },
        ]
    }

    private static func badges(_ provider: any Provider) -> [Interface.Method] {
        let values: [Interface.Argument] = [("badges", "as"), ("flags", "au"), ("progress", "ay")]
        return [
            Interface.Method(
                "RequestBadges", in: [("directory_uri", "s"), ("names", "as"), ("options", "a{sv}")],
                out: values + [("extra", "a{sv}")]
            ) { call in
                var reader = call.reader
                let directory = try reader.readItemURI()
                let names = try reader.readItemNames()
                provider.requestBadges(in: directory, names: names) { columns in
                    call.reply { writer in
                        try writer.append(values: columns)
                        try writer.appendNoExtras()
                    }
                }
            },
            Interface.Method(
                "RequestDirectory",
                in: [("directory_uri", "s"), ("after", "s"), ("limit", "u"), ("options", "a{sv}")],
                out: [("names", "as")] + values + [("next", "s"), ("extra", "a{sv}")]
            ) { call in
                var reader = call.reader
                let directory = try reader.readItemURI()
                let after = try reader.readOptionalItemName()
                let limit = Int(try reader.readUInt32())
                let most = limit == 0 ? Limits.namesPerCall : min(limit, Limits.namesPerCall)
                provider.requestDirectory(directory, after: after, limit: most) { columns, next in
                    call.reply { writer in
                        try writer.append(columns: columns)
                        try writer.append(next?.encoded ?? "")
                        try writer.appendNoExtras()
                    }
                }
            },
        ]
    }

    private static func menus(_ provider: any Provider) -> [Interface.Method] {
        let place: [Interface.Argument] = [("target_uri", "s"), ("selected_uris", "as"), ("options", "a{sv}")]
        return [
            Interface.Method(
                "GetMenu", in: [("kind", "u")] + place, out: [("items", "aa{sv}"), ("extra", "a{sv}")]
            ) { call in
                var reader = call.reader
                guard let kind = MenuKind(rawValue: try reader.readUInt32()) else {
                    throw DBusError.invalidArgs("There is no such kind of menu.")
                }
                let request = MenuRequest(
                    kind: kind, target: try reader.readOptionalItemURI(), selection: try reader.readItemURIs())
                provider.menu(request) { items in
                    call.reply { writer in
                        try writer.append(value: .maps(items.map(\.wire)))
                        try writer.appendNoExtras()
                    }
                }
            },
            Interface.Method("Activate", in: [("item_id", "s")] + place, out: [("extra", "a{sv}")]) { call in
                var reader = call.reader
                let item = try reader.readString()
                let request = MenuRequest(
                    kind: nil, target: try reader.readOptionalItemURI(), selection: try reader.readItemURIs(),
                    options: ActivationOptions(wire: try reader.readOptions()))
                provider.activate(item, request) { result in
                    switch result {
                    case .success(let product): call.reply { try $0.append(map: product?.wire ?? [:]) }
                    case .failure(let error): call.fail(DBusError(error))
                    }
                }
            },
        ]
    }

    private static func facts(_ provider: any Provider) -> [Interface.Method] {
        [
            Interface.Method(
                "GetAttributes", in: [("uri", "s"), ("keys", "as"), ("options", "a{sv}")],
                out: [("attributes", "a{sv}"), ("extra", "a{sv}")]
            ) { call in
                var reader = call.reader
                let item = try reader.readItemURI()
                provider.attributes(of: item, keys: try reader.readStringArray()) { attributes in
                    call.reply { writer in
                        try writer.append(map: attributes.mapValues(\.wire))
                        try writer.appendNoExtras()
                    }
                }
            },
            Interface.Method(
                "ItemsChanged",
                in: [
                    ("folder_uri", "s"), ("directory_uris", "as"), ("item_uris", "as"), ("overflow", "b"),
                    ("options", "a{sv}"),
                ],
                out: [("extra", "a{sv}")]
            ) { call in
                var reader = call.reader
                let changes = FolderChanges(
                    folder: try reader.readItemURI(), directories: try reader.readItemURIs(),
                    items: try reader.readItemURIs(), overflow: try reader.readBool())
                provider.itemsChanged(changes) { call.reply { try $0.appendNoExtras() } }
            },
        ]
    }
}
