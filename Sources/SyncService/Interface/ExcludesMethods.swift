internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore

/// The methods of `org.roundel.Roundel1.Engine.Folders` about what is not synced.
enum ExcludesMethods {
    static func all(_ service: Worker) -> [Interface.Method] { patterns(service) + items(service) }

    private static func patterns(_ service: Worker) -> [Interface.Method] {
        let input: [Interface.Argument] = [("folder", "s"), ("patterns", "as")]
        return [
            .ofWorker("ListExcludes", [("folder", "s")], [("patterns", "as")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                call.reply { writer in
                    try writer.append(strings: unit.settings.excludes)
                    try writer.append(map: ["bundled": .strings(ExcludePatterns.own + ExcludePatterns.defaults)])
                }
            },
            .ofWorker("AddExcludes", input) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                var patterns = try reader.readStringArray()
                for item in try reader.readOptions().strings("items") ?? [] {
                    patterns.append(try exactPattern(for: item, of: unit))
                }
                try FolderSettings.requirePatterns(patterns)
                let before = Set(unit.settings.excludes)
                try service.book.change(unit) { $0.add(excludes: patterns) }
                let added = unit.settings.excludes.filter { !before.contains($0) }
                call.reply { try $0.append(map: ["added": .strings(added)]) }
            },
            .ofWorker("RemoveExcludes", input) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                let patterns = try reader.readStringArray()
                if let bad = patterns.first(where: { !unit.settings.excludes.contains($0) }) {
                    throw WorkerError(.unknownPattern, tr("The folder has no pattern “{1}”.", String(bad.prefix(100))))
                }
                try service.book.change(unit) { $0.remove(excludes: patterns) }
                call.reply { try $0.appendNoExtras() }
            },
        ]
    }

    private static func items(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("ListExcluded", [("folder", "s")], [("items", "aa{sv}")]) { [unowned service] call, reader in
                let name = try reader.readString()
                let unit = try service.folders.unit(named: name)
                let limit = Int(try reader.readOptions().uint32("limit") ?? 1_000)
                if let trouble = unit.trouble { throw trouble }
                let found = unit.exclusions.list(
                    within: (try? ItemURI(name)) ?? unit.uri, limit: max(1, min(limit, 10_000)))
                call.reply { writer in
                    try writer.append(value: .maps(found.items.map(\.map)))
                    try writer.append(map: found.hasMore ? ["more": .bool(true)] : [:])
                }
            },
            .ofWorker("TryExcludes", [("folder", "s"), ("path", "s")], [("result", "a{sv}")]) {
                [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                let path = try reader.readString()
                let isDirectory = try reader.readOptions().bool("directory") ?? false
                let result = try unit.exclusions.trial(of: path, isDirectory: isDirectory)
                call.reply { writer in
                    try writer.append(map: result.map)
                    try writer.appendNoExtras()
                }
            },
        ]
    }

    /// The pattern that excludes one item of a folder alone.
    private static func exactPattern(for text: String, of unit: FolderUnit) throws -> String {
        let item = try ItemURI(text)
        guard item.isBelow(unit.uri), let pattern = ItemExclusion.exactPattern(for: item, below: unit.uri) else {
            throw WorkerError(
                .invalidPattern,
                tr(
                    "“{1}” is in no folder that it could be left out of, or no pattern can have its name.",
                    item.sentencePath)
            )
        }
        return pattern
    }
}
