package import DBus

extension ProviderSummary {
    /// Reads one row of List; nil without an id. What else is absent or has another type counts as empty.
    init?(wire map: VariantMap) {
        guard let id = map.string("id").flatMap(ProviderID.init) else { return nil }
        self.init(
            id: id, name: map.string("name") ?? id.rawValue, icon: map.string("icon") ?? "",
            enabled: map.bool("enabled") ?? false, running: map.bool("running") ?? false,
            folders: (map.strings("folders") ?? []).compactMap { try? ItemURI($0) },
            lastError: map.string("last-error") ?? "")
    }

    /// One row of List.
    package var wire: VariantMap {
        [
            "id": .string(id.rawValue), "name": .string(name), "icon": .string(icon), "enabled": .bool(enabled),
            "running": .bool(running), "folders": .strings(folders.map(\.uri)), "last-error": .string(lastError),
        ]
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
