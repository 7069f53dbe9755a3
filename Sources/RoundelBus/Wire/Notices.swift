package import DBus

extension FolderNotice {
    /// Reads a notice of SetFolderStatus; unknown keys are ignored, and an unknown urgency counts as normal.
    /// - Throws: `InvalidArgs` for a known key of the wrong type.
    package init(wire map: VariantMap) throws(DBusError) {
        self.init(
            id: try map.notice("id", \.string) ?? "", title: try map.notice("title", \.string) ?? "",
            text: try map.notice("text", \.string) ?? "", count: try map.notice("count", \.uint32) ?? 0,
            urgency: try map.notice("urgency", \.byte).flatMap { Urgency(rawValue: $0) } ?? .normal)
        for action in try map.notice("actions", \.maps) ?? [] {
            actions.append(
                Action(id: try action.notice("id", \.string) ?? "", label: try action.notice("label", \.string) ?? ""))
        }
    }

    /// The notice for the bus; keys with their default values are left out.
    package var wire: VariantMap {
        var map: VariantMap = ["id": .string(id), "title": .string(title)]
        if !text.isEmpty { map["text"] = .string(text) }
        if count > 0 { map["count"] = .uint32(count) }
        if urgency != .normal { map["urgency"] = .byte(urgency.rawValue) }
        if !actions.isEmpty {
            map["actions"] = .maps(actions.map { ["id": .string($0.id), "label": .string($0.label)] })
        }
        return map
    }
}

extension VariantMap {
    /// The notices among the options of SetFolderStatus; none if the key is missing.
    /// - Throws: `InvalidArgs` if it, or a known key of a notice, has another type.
    package func folderNotices() throws(DBusError) -> [FolderNotice] {
        var notices: [FolderNotice] = []
        for map in try notice("notices", \.maps) ?? [] { notices.append(try FolderNotice(wire: map)) }
        return notices
    }

    fileprivate func notice<T>(_ key: String, _ read: (DBusValue) -> T?) throws(DBusError) -> T? {
        guard let value = self[key] else { return nil }
        guard let result = read(value) else { throw .invalidArgs("The notices' key “\(key)” has another type.") }
        return result
    }
}
