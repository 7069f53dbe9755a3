package import DBus

extension ProviderRegistration {
    /// The options of Register.
    package var wire: VariantMap {
        var map: VariantMap = ["id": .string(id)]
        if !name.isEmpty { map["name"] = .string(name) }
        if !icon.isEmpty { map["icon"] = .string(icon) }
        map["toolbar-item"] = toolbarItem.map(\.wire)
        if !services.isEmpty { map["services"] = .services(services) }
        return map
    }
}

extension DBusValue {
    /// The objects of interfaces, `a{so}`; invalid paths are left out.
    package static func services(_ services: [String: String]) -> DBusValue {
        .dictionary(
            key: "s", value: "o",
            services.sorted { $0.key < $1.key }.compactMap { name, path in
                guard let path = try? ObjectPath(path) else { return nil }
                return DictionaryEntry(key: .string(name), value: .objectPath(path))
            })
    }

    /// Reads `a{so}`; nil for another type.
    package var services: [String: String]? {
        guard case .dictionary("s", "o", let entries) = self else { return nil }
        var services: [String: String] = [:]
        for entry in entries {
            if let name = entry.key.string, let path = entry.value.objectPath { services[name] = path.rawValue }
        }
        return services
    }
}

extension DBusValue {
    /// Labels of badges by locale and identifier, `a{sa{ss}}`.
    package static func badgeLabels(_ labels: [String: [String: String]]) -> DBusValue {
        .dictionary(
            key: "s", value: "a{ss}",
            labels.sorted { $0.key < $1.key }.map { locale, labels in
                DictionaryEntry(
                    key: .string(locale),
                    value: .dictionary(
                        key: "s", value: "s",
                        labels.sorted { $0.key < $1.key }.map { badge, label in
                            DictionaryEntry(key: .string(badge), value: .string(label))
                        }))
            })
    }

    /// Reads `a{sa{ss}}`; nil for another type.
    package var badgeLabels: [String: [String: String]]? {
        guard case .dictionary("s", "a{ss}", let locales) = self else { return nil }
        var result: [String: [String: String]] = [:]
        for locale in locales {
            guard let name = locale.key.string, case .dictionary("s", "s", let labels) = locale.value else { continue }
            for entry in labels { result[name, default: [:]][entry.key.string ?? ""] = entry.value.string }
        }
        return result
    }
}

extension FolderOffer {
    /// The options of a folder in SetFolders.
    package var wireOptions: VariantMap {
        var map: VariantMap = [:]
        if watch { map["watch"] = .bool(true) }
        if !label.isEmpty { map["label"] = .string(label) }
        if !icon.isEmpty { map["icon"] = .string(icon) }
        return map
    }

    /// A folder of SetFolders with its options; unknown keys are ignored.
    package init(folder: ItemURI, wireOptions map: VariantMap) {
        self.init(
            folder: folder, watch: map.bool("watch") ?? false, label: map.string("label") ?? "",
            icon: map.string("icon") ?? "")
    }
}

extension ToolbarItem {
    /// Reads `(sss)`: name, icon, tooltip.
    package init?(wire value: DBusValue) {
        guard case .structure(let members) = value, members.count == 3,
            let name = members[0].string, let icon = members[1].string, let tooltip = members[2].string
        else { return nil }
        self.init(name: name, icon: icon, tooltip: tooltip)
    }

    /// The item as `(sss)`.
    package var wire: DBusValue { .structure([.string(name), .string(icon), .string(tooltip)]) }
}
