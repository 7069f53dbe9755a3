package import DBus

extension ProviderSummary {
    /// Reads one row of List; nil without an ID. Other values that are missing or have another type count as empty.
    init?(wire map: VariantMap) {
        guard let id = map.string("id").flatMap(ProviderID.init) else { return nil }
        self.init(
            id: id, name: map.string("name") ?? id.rawValue, summary: map.string("description") ?? "",
            icon: map.string("icon") ?? "", app: map.string("app") ?? "",
            enabled: map.bool("enabled") ?? false, isNew: map.bool("new") ?? false,
            running: map.bool("running") ?? false,
            folders: (map.strings("folders") ?? []).compactMap { try? ItemURI($0) },
            waiting: (map.maps("waiting") ?? []).compactMap { Waiting(wire: $0) },
            busName: map.string("bus-name") ?? "", services: map["services"]?.services ?? [:],
            lastError: map.string("last-error") ?? "", trouble: map.string("trouble").flatMap(Trouble.init))
    }

    /// One row of List.
    package var wire: VariantMap {
        var map: VariantMap = [
            "waiting": .maps(waiting.map(\.wire)), "id": .string(id.rawValue), "name": .string(name),
            "icon": .string(icon), "enabled": .bool(enabled), "new": .bool(isNew),
            "running": .bool(running), "folders": .strings(folders.map(\.uri)), "last-error": .string(lastError),
        ]
        if let trouble { map["trouble"] = .string(trouble.rawValue) }
        if !app.isEmpty { map["app"] = .string(app) }
        if !summary.isEmpty { map["description"] = .string(summary) }
        if !busName.isEmpty { map["bus-name"] = .string(busName) }
        if !services.isEmpty { map["services"] = .services(services) }
        return map
    }
}

extension ProviderSummary.Waiting {
    /// Reads one row; nil if something is missing.
    fileprivate init?(wire map: VariantMap) {
        guard let folder = map.string("folder").flatMap({ try? ItemURI($0) }),
            let provider = map.string("provider").flatMap(ProviderID.init),
            let other = map.string("other").flatMap({ try? ItemURI($0) })
        else { return nil }
        self.init(folder: folder, provider: provider, other: other)
    }

    fileprivate var wire: VariantMap {
        ["folder": .string(folder.uri), "provider": .string(provider.rawValue), "other": .string(other.uri)]
    }
}

extension FolderStatus {
    /// Reads `(usy)`: state, text and progress; nil for another type. A state that this version does not know counts as
    /// unknown.
    init?(wire value: DBusValue) {
        guard case .structure(let members) = value, members.count == 3, let state = members[0].uint32,
            let text = members[1].string, let progress = members[2].byte
        else { return nil }
        self.init(state: FolderState(rawValue: state) ?? .unknown, text: text, progress: progress)
    }
}
