import DBus
import RoundelBus
import SystemPackage

/// What the sample provider offers beside badges: its folders with their state, which can be paused, and their conflicts.
/// It has nothing to sync and keeps no deleted files, so it leaves out the rest of the one interface, and the other
/// interfaces of engines.
///
/// A file that is named like another one with ` (conflict)` at its end counts as that one's other version.
final class FolderService {
    static let path: ObjectPath = "/org/roundel/Sample1/Folders"
    /// For the registration.
    static let services = Dictionary(
        uniqueKeysWithValues: [EngineInterface.folders, .conflicts].map { ($0.name, path.rawValue) })
    private static let options: [Interface.Argument] = [("options", "a{sv}")]
    private static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    private let bus: Connection
    private let folders: [ItemURI]
    private let names: (ItemURI) -> [ItemName]
    private let onPaused: (ItemURI) -> Void
    private var paused: Set<ItemURI> = []
    private var exported: [Registration] = []

    /// - Parameters:
    ///   - names: The names in a directory.
    ///   - onPaused: Called when a folder was paused or resumed.
    init(
        _ folders: [ItemURI], on bus: Connection, names: @escaping (ItemURI) -> [ItemName],
        onPaused: @escaping (ItemURI) -> Void
    ) throws {
        self.bus = bus
        self.folders = folders
        self.names = names
        self.onPaused = onPaused
        let sandboxes = SandboxGate(bus: bus)
        exported = try [folderInterface, conflictInterface].map { interface in
            try bus.export(interface.closedToSandboxes(sandboxes), at: Self.path)
        }
    }

    func isPaused(_ folder: ItemURI) -> Bool { paused.contains(folder) }

    private var folderInterface: Interface {
        Interface(
            EngineInterface.folders.name,
            methods: [
                Interface.Method("ListFolders", in: Self.options, out: [("folders", "aa{sv}")] + Self.extra) {
                    [unowned self] call in call.reply(maps: folders.map { entry($0).map })
                },
                Interface.Method(
                    "Status", in: [("folder", "s")] + Self.options, out: [("folders", "aa{sv}")] + Self.extra
                ) { [unowned self] call in
                    var reader = call.reader
                    call.reply(maps: try named(try reader.readString()).map { status($0).map })
                },
                pausing("Pause", true), pausing("Resume", false),
            ], properties: [.version],
            signals: [
                Interface.Signal("FoldersChanged", Self.extra),
                Interface.Signal("StatusChanged", [("folder", "s"), ("status", "a{sv}")] + Self.extra),
            ])
    }

    private func pausing(_ name: String, _ isPaused: Bool) -> Interface.Method {
        Interface.Method(name, in: [("folder", "s")] + Self.options, out: Self.extra) { [unowned self] call in
            var reader = call.reader
            for folder in try named(try reader.readString()) {
                if isPaused { paused.insert(folder) } else { paused.remove(folder) }
                onPaused(folder)
                try bus.emit(Self.path, EngineInterface.folders.name, "StatusChanged") { writer in
                    try writer.append(folder.uri)
                    try writer.append(map: self.status(folder).map)
                    try writer.append(map: [:])
                }
            }
            call.reply { try $0.append(map: [:]) }
        }
    }

    private var conflictInterface: Interface {
        Interface(
            EngineInterface.conflicts.name,
            methods: [
                Interface.Method(
                    "Conflicts", in: [("uri", "s")] + Self.options, out: [("conflicts", "aa{sv}")] + Self.extra
                ) { [unowned self] call in
                    var reader = call.reader
                    let place = try reader.readOptionalItemURI()
                    let found = folders.flatMap { conflicts(in: $0) }
                    call.reply(
                        maps: found.filter { conflict in
                            place.map { (try? ItemURI(conflict.uri))?.isWithin($0) ?? false } ?? true
                        }.map(\.map))
                }
            ], properties: [.version])
    }

    // MARK: What it knows

    /// The folders that a text names; all for "".
    private func named(_ text: String) throws -> [ItemURI] {
        if text.isEmpty { return folders }
        guard let item = try? ItemURI(text), let folder = folders.first(where: { item.isWithin($0) }) else {
            throw DBusError(RoundelError(.unknownFolder, "“\(text)” is in none of the sample's folders."))
        }
        return [folder]
    }

    private func state(_ folder: ItemURI) -> Badge {
        isPaused(folder) ? .paused : conflicts(in: folder).isEmpty ? .synced : .conflict
    }

    private func entry(_ folder: ItemURI) -> SyncedFolder {
        var entry = SyncedFolder(id: folder.uri, uri: folder.uri, remote: "sample", label: "", state: state(folder))
        entry.isPaused = isPaused(folder)
        return entry
    }

    private func status(_ folder: ItemURI) -> SyncFolderStatus {
        var status = SyncFolderStatus(id: folder.uri, uri: folder.uri, state: state(folder))
        let count = UInt64(conflicts(in: folder).count)
        if count > 0 { status.counts = [.conflict: 2 * count] }
        return status
    }

    private func conflicts(in folder: ItemURI) -> [SyncConflict] {
        let there = Set(names(folder))
        return there.sorted().compactMap { name -> SyncConflict? in
            guard let copy = try? ItemName(bytes: name.bytes + Array(" (conflict)".utf8)), there.contains(copy) else {
                return nil
            }
            return SyncConflict(
                folder: folder.uri, uri: folder.appending(name).uri, copyURI: folder.appending(copy).uri,
                kind: WireWord(.edits))
        }
    }
}

extension MethodCall {
    fileprivate func reply(maps: [VariantMap]) {
        reply { writer in
            try writer.append(value: .maps(maps))
            try writer.append(map: [:])
        }
    }
}
