import DBus
import RoundelBus

/// The properties of the Host interface. What is absent or of another type counts as empty.
struct HostProperties: Sendable, Equatable {
    let version: UInt32?
    let folders: [ItemURI]
    let labels: BadgeLabels
    let iconThemePath: String
    /// What each provider said last about its folders.
    let status: [FolderView]
    let watchesUsed: UInt32?
    let watchesLimit: UInt32?
    /// Folders that are rescanned rather than watched.
    let unreliable: [ItemURI]

    init(_ map: VariantMap) {
        version = map.uint32("Version")
        folders = (map.strings("Folders") ?? []).compactMap { try? ItemURI($0) }
        labels = BadgeLabels(HostProperties.labels(map["Badges"]))
        iconThemePath = map.string("IconThemePath") ?? ""
        status = HostProperties.status(map["FolderStatus"])
        let watch = map.map("WatchStatus") ?? [:]
        watchesUsed = watch.uint32("watches-used")
        watchesLimit = watch.uint32("watches-limit")
        unreliable = (watch.strings("unreliable") ?? []).compactMap { try? ItemURI($0) }
    }

    private static func labels(_ value: DBusValue?) -> [String: String] {
        guard case .dictionary(_, _, let entries) = value else { return [:] }
        var labels: [String: String] = [:]
        for entry in entries {
            if let badge = entry.key.string, let label = entry.value.members?.first?.string { labels[badge] = label }
        }
        return labels
    }

    private static func status(_ value: DBusValue?) -> [FolderView] {
        guard case .dictionary(_, _, let entries) = value else { return [] }
        return entries.compactMap { entry in
            guard let uri = entry.key.string.flatMap({ try? ItemURI($0) }), let members = entry.value.members,
                members.count == 3, let state = members[0].uint32, let text = members[1].string,
                let progress = members[2].byte
            else { return nil }
            return FolderView(uri: uri, state: state, text: text, progress: progress)
        }
    }
}

/// A provider as the settings list it.
struct ProviderInfo: Sendable, Equatable {
    let id: String
    let name: String
    let isEnabled: Bool
    let isRunning: Bool
    let folders: [String]
    let lastError: String?

    init?(_ map: VariantMap) {
        guard let id = map.string("id") else { return nil }
        self.id = id
        name = map.string("name") ?? id
        isEnabled = map.bool("enabled") ?? false
        isRunning = map.bool("running") ?? false
        folders = map.strings("folders") ?? []
        lastError = map.string("last-error").flatMap { $0.isEmpty ? nil : $0 }
    }

    var json: JSON {
        .object([
            .init("id", .string(id)), .init("name", .string(name)), .init("enabled", .bool(isEnabled)),
            .init("running", .bool(isRunning)),
            .init("folders", .array(folders.map { .object(WorkerPath.json($0)) })),
            .init("last_error", .optional(lastError, JSON.string)),
        ])
    }
}
